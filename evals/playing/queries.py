"""What a model would type to find a tool, in its own words: the second is tried where the first finds nothing."""

_QUERIES: dict[str, tuple[str, ...]] = {
    'order': ('look up order', 'order by number'),
    'customer': ('customer name and address', 'look up customer'),
    'product': ('product price stock', 'look up product'),
    'restock': ('add to stock of a product', 'restock product'),
    'shipment_of': ('track parcel of an order', 'shipment delivery days late'),
    'write_customer_note': ('write note on customer', 'replace customer note'),
    'open_tickets': ('open complaints', 'unanswered tickets'),
    'stars_of': ('average stars of product reviews', 'product rating'),
    'orders_placed': ('orders placed in a region between two days', 'list orders'),
    'list_regions': ('list regions', 'delivery regions'),
    'low_stock': ('products running out of stock', 'low stock'),
    'find_products': ('find products by name', 'search products'),
    'file_info': ('size of a file', 'file info'),
    'write_file': ('write text file', 'save file'),
    'read_file': ('read a file', 'file text'),
    'find_files': ('find files by pattern', 'glob files'),
    'list_folder': ('list files in a folder', 'folder entries'),
    'move_file': ('move or rename file', 'move file'),
    'delete_file': ('delete a file', 'remove file'),
    'list_people': ('people of a team', 'list people'),
    'find_person': ('find person by name', 'email address of a person'),
    'list_events': ('meetings of a person on a day', 'calendar events'),
    'create_event': ('create a meeting in calendars', 'put meeting into calendar'),
    'cancel_event': ('cancel a meeting', 'cancel event'),
    'list_rooms': ('rooms with enough seats', 'list meeting rooms'),
    'book_room': ('book a room for a meeting', 'book room'),
    'list_mails': ('list mails in a folder', 'inbox mails'),
    'read_mail': ('read a mail', 'mail text'),
    'send_mail': ('send a mail', 'send email'),
    'label_mail': ('label a mail', 'put label on mail'),
    'archive_mail': ('archive a mail', 'move mail to archive'),
    'delete_mail': ('delete a mail', 'delete mail for good'),
    'list_sites': ('list all sites', 'names of sites'),
    'site_owner': ('who owns a site', 'owner of site'),
    'query_visits': ('single visits of a site on a day', 'query visits'),
    'daily_totals': ('metric of a site for each day', 'daily totals'),
    'live_visitors': ('how many visitors are on a site now', 'live visitors'),
    'site_uptime': ('uptime of a site', 'percent of time a site was up'),
    'list_alerts': ('list alerts', 'open alerts'),
    'acknowledge_alert': ('acknowledge alert', 'close an alert'),
    'list_experiments': ('list experiments', 'names of experiments'),
    'get_experiment': ('look up experiment numbers', 'experiment variants'),
    'stop_experiment': ('stop experiment with winner', 'end experiment'),
    'start_job': ('start counting job of a site', 'start job'),
    'job_state': ('state of a job', 'ask how far a job is'),
    'save_report': ('save a report', 'store report'),
    'purge_site': ('delete all visits of a site', 'purge site'),
}


def queries_for(tool: str) -> tuple[str, ...]:
    """The words for one tool; where they find nothing, the same as expressions, which some searches take."""
    words = _QUERIES[tool]
    any_of = ('|'.join(word for word in query.split() if len(word) > _SHORT) for query in words)
    return (*words, *(query.replace(' ', '.*') for query in words), *any_of)


_SHORT = 3
"""Shorter words stand in every description."""
