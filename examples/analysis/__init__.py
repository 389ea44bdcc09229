"""An analyst that joins a database with CSV files and writes a report into a folder."""
