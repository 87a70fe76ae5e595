"""The editor's server and its pages, for a board of any kind; `web` is built into `static`, `plain` is as it is."""
