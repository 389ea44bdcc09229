def uniq(xs):
    seen=set(); out=[]
    for x in xs:
        if x not in seen: seen.add(x); out.append(x)
    return out
print(uniq([3,1,3,2]), list(dict.fromkeys([3,1,3])), len(set('hello')), sorted(set('hello')), max({3,9,1}), set() == set(), {1}<{1,2})
print(' '.join(sorted({'b','a'})), {*[1,2],3}, set(map(abs,[-1,1,-2])), set(zip([1,2],[3,4]))=={(1,3),(2,4)})
