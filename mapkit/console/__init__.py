"""What commands of every kind share: options, printing, work in processes of their own. It may import core."""
