"""What Python asks the locale for; the rest of the module is the host's."""

month_name = [
    '',
    'January',
    'February',
    'March',
    'April',
    'May',
    'June',
    'July',
    'August',
    'September',
    'October',
    'November',
    'December',
]
month_abbr = [name[:3] for name in month_name]
day_name = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
day_abbr = [name[:3] for name in day_name]
