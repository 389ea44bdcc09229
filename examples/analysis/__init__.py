"""An analyst that joins a database with CSV files, and leaves a report in a folder."""
