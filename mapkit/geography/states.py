"""States and provinces of North America, in the spellings that follow names of cities."""

_STATE_NAMES = """
al alabama ala|ak alaska|az arizona ariz|ar arkansas ark|ca california calif cal|co colorado colo|ct connecticut conn
de delaware del|dc districtofcolumbia|fl florida fla|ga georgia|hi hawaii|id idaho ida|il illinois ill|in indiana ind
ia iowa|ks kansas kans kan|ky kentucky|la louisiana|me maine|md maryland|ma massachusetts mass|mi michigan mich
mn minnesota minn|ms mississippi miss|mo missouri|mt montana mont|ne nebraska nebr neb|nv nevada nev|nh newhampshire
nj newjersey|nm newmexico nmex|ny newyork|nc northcarolina|nd northdakota ndak|oh ohio|ok oklahoma okla
or oregon oreg ore|pa pennsylvania penna penn|ri rhodeisland|sc southcarolina|sd southdakota sdak|tn tennessee tenn
tx texas tex|ut utah|vt vermont|va virginia|wa washington wash|wv westvirginia wva|wi wisconsin wisc wis|wy wyoming wyo
ab alberta alta|bc britishcolumbia|mb manitoba man|nb newbrunswick|nl newfoundland nfld|ns novascotia|on ontario ont
pe princeedwardisland pei|qc quebec que|sk saskatchewan sask
"""

STATES: dict[str, str] = {
    name: names[0]
    for line in _STATE_NAMES.split("\n")
    for entry in line.split("|")
    if (names := entry.split())
    for name in names
}
"""Postal code, name or old abbreviation, folded to letters -> postal code in lower case."""
