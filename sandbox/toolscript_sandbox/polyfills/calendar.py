"""What Python asks the locale for, and days and months as plain numbers; the rest of the module is the host's."""

# Enumerations from Python 3.12 on.
JANUARY, FEBRUARY = 1, 2
MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY = 0, 1, 2, 3, 4, 5, 6
Month = range(1, 13)


def Day(number):
    return number


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
