"""The editor: a source package as a document that typed commands change, and the page that sends them."""
