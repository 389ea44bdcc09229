"""What Monty's `functools` lacks."""

# Methods that it decorates are rewritten.
cached_property = None


def wraps(wrapped, assigned=(), updated=()):
    return lambda wrapper: wrapper


def update_wrapper(wrapper, wrapped, assigned=(), updated=()):
    return wrapper


def total_ordering(cls):
    # Comparisons are rewritten to ask for what there is.
    return cls


def cmp_to_key(mycmp):
    # Only `sorted` and `sort` can use it; they are rewritten to compare by the function.
    return mycmp


def sorted_with(items, compare, reverse=False):
    merged = _merge_sort(list(items), (lambda a, b: compare(b, a)) if reverse else compare)
    return merged


def _merge_sort(items, compare):
    if len(items) < 2:
        return items
    half = len(items) // 2
    left, right = _merge_sort(items[:half], compare), _merge_sort(items[half:], compare)
    merged, i, j = [], 0, 0
    while i < len(left) and j < len(right):
        if compare(right[j], left[i]) < 0:
            merged.append(right[j])
            j += 1
        else:
            merged.append(left[i])
            i += 1
    return merged + left[i:] + right[j:]
