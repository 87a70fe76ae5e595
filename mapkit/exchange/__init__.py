"""What exports of every kind share: plans of files, cards as pictures, VASSAL modules, saves of Tabletop Simulator."""
