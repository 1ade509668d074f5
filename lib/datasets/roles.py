"""Which column of a table says who, when and where.

`columns=` decides. What it leaves open is found by usual names of columns, in any case and with any
separators between words, and by what the first rows hold. Everything found is noted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import pandas as pd

from lib.validation import check_instance, format_names, format_value

_PLACES = ("roi", "lat", "lon", "point", "polyline")
TRIP = {
    "roi": ("origin", "destination"),
    "lat": ("origin_lat", "destination_lat"),
    "lon": ("origin_lon", "destination_lon"),
}
ROLES = ("user", "time", "until", *_PLACES, *(role for pair in TRIP.values() for role in pair))
# Usual names of columns, without case and separators of words.
USUAL = {
    "user": "user userid uid person personid device deviceid id",
    "time": "time timestamp datetime createdat trackedat recordedat observedat date",
    "roi": "roi zone zoneid place placeid cell cellid antenna station location h3 h3index geohash",
    "lat": "lat latitude",
    "lon": "lon lng long longitude",
}
# Names that are looked for if a table has none of those.
_RARER = {
    "user": "vehicle vehicleid bike bikeid taxi taxiid cab cabid car carid bus busid driver"
    " driverid rider riderid passenger passengerid customer customerid client clientid subscriber"
    " subscriberid card cardid cardnumber cardno phone phoneid mac macaddress imei imsi msisdn"
    " mmsi vessel ship plate licenseplate numberplate medallion member memberid participant"
    " participantid subject subjectid individual individualid individuallocalidentifier animal"
    " animalid agent agentid caller callerid adid maid idfa caid advertiserid trackerid tracker"
    " objectid oid pid usuario idusuario benutzer nutzer utente utilisateur",
    "time": "ts t dt when unix unixtime unixtimestamp epochtime posixtime utc utctime timeutc"
    " timestamputc utctimestamp datetimeutc utcdatetime localtime localdatetime localtimestamp"
    " eventtime eventtimestamp eventdatetime gpstime gpsdatetime gpstimestamp fixtime obstime"
    " observed recorded recordtime created checkintime checkindate checkin seen seenat"
    " timestampms timestamps sampledat receivedat loggedat reportedat lastseen zeit zeitstempel"
    " fechahora horodate moment positiontime posttime tweettime",
    "roi": "locationid locationname placename stationid stationname zonename grid gridid poi poiid"
    " poiname venue venueid venuename hex hexid quadkey s2 s2cell s2cellid tower towerid site"
    " siteid antennaid basestation basestationid stop stopid stopname gate gateid beacon beaconid"
    " bssid accesspoint ap room roomid building buildingid taz tract block blockid lsoa msoa geoid"
    " postcode postalcode zip zipcode loc neighborhood neighbourhood area areaid areaname district"
    " districtid region regionid municipality city county celda zona lieu ort geohashcell",
}
_SIDE = {
    side: re.compile(
        r"(gps|geo|pos|position|location|loc|point|stop|wgs84|decimal|y|x|fix|user|device)?"
        rf"({names})(deg|degrees|dd|wgs84|gps|decimal|y|x)?"
    )
    for side, names in {
        "lat": "lat|latitude|latitud|latitudine|breite|breitengrad",
        "lon": "lon|lng|long|longitude|longitud|longitudine|laenge|länge|längengrad|laengengrad",
    }.items()
}
_POINT = "point geometry geom thegeom wkt wkb geojson location coordinates coords position shape"
_SCALED = {"latitudee6": 1e6, "late6": 1e6, "latitudee7": 1e7, "late7": 1e7}
_PROJECTED = {
    "lat": "northing northings north y ycoord coordy posy ypos utmy n osnrth osnorth hochwert",
    "lon": "easting eastings east x xcoord coordx posx xpos utmx e oseast rechtswert",
}
_DATE = "date day dates fecha datum jour giorno data journeydate tripdate servicedate"
_CLOCK = "time hour hr hh h clock timeofday hourofday hora heure stunde ora uhrzeit starthour"
_CLOCK += " period periodo minute min"
_CLOCK_LIKE = re.compile(
    r"hour|hora|heure|stunde|clock|minute|slot|interval|period|^hh?$|^hr$|^tod$|^min$"
    r"|time(?!zone|stamp)|zeit"
)
# Trips and stays: NYC TLC, Citi Bike, Divvy and their like.
_BEGIN = "startedat starttime start starttimestamp startdate startdatetime pickupdatetime"
_BEGIN += " tpeppickupdatetime lpeppickupdatetime pickuptime tripstarttimestamp departuretime"
_BEGIN += " departure departedat arrivedat arrival arrivaltime begin begintime tstart"
_END = "endedat finishedat endtime stoptime end stop endtimestamp enddate enddatetime tend"
_END += " dropoffdatetime tpepdropoffdatetime lpepdropoffdatetime dropofftime tripendtimestamp"
_END += " arrivaltime arrival arrivedat leavingdatetime leftat leavetime departure departuretime"
_RIDER = "user userid uid person personid bikeid taxiid vehicleid medallion device deviceid"
_TRIP_NAMES = {
    "origin": "origin originid from fromid fromstationid startstationid pulocationid startzone"
    " originzone pickuplocationid startstation originstaypointid",
    "destination": "destination destinationid to toid tostationid endstationid dolocationid endzone"
    " destinationzone dropofflocationid endstation destinationstaypointid",
    "origin_lat": "startlat startlatitude startstationlatitude pickuplatitude originlat",
    "origin_lon": "startlng startlon startlongitude startstationlongitude pickuplongitude originlon"
    " originlng",
    "destination_lat": "endlat endlatitude endstationlatitude dropofflatitude destinationlat",
    "destination_lon": "endlng endlon endlongitude endstationlongitude dropofflongitude"
    " destinationlon destinationlng",
}
_ID_LIKE = re.compile(
    r"user|person|people|card|vehicle|device|bike|taxi|cab|car$|bus|driver|rider|phone|imei|imsi"
    r"|mac|msisdn|plate|account|customer|client|member|name|passenger|subscriber|badge|tag|tracker|sensor"
    r"|individual|household|medallion|mmsi|serial|hash|(^|[_ -])(id|uid|no|nr|number|code)$|Id$|ID$"
)
_KIND = re.compile(
    r"(type|casual|class|kind|category|status|model|mode|make|brand|gender|sex|age|group)$"
)
_PLACE_LIKE = re.compile(r"station|stop|zone|place|location|venue|street|city|address|name")
_FEW_PEOPLE = 4  # distinct words from which on a column may be one of people
_ONLY_DATE = re.compile(
    r"(\d{4}([./-])\d{1,2}\2\d{1,2}|\d{8}|\d{1,2}([/.-])\d{1,2}\3(\d{4}|\d{2})"
    r"|\d{1,2}[- .]{1,2}[A-Za-z]{3,9}[- ](\d{4}|\d{2})|[A-Za-z]{3,9} \d{1,2},? \d{4})"
    r"([T ]00:00(:00(\.0+)?)?)?"
)
_STAMP = re.compile(
    r"(\d{4}-\d{2}-\d{2}|\d{1,2}[/.-]\d{1,2}[/.-]\d{4}|\d{4}/\d{1,2}/\d{1,2})[T ]\d{1,2}:\d{2}.*"
)
_ONLY_CLOCK = re.compile(r"\d{1,2}(:\d{2}){0,2}(\.\d+)?( ?[AaPp]\.?[Mm]\.?)?|\d{1,2}[hH](\d{2})?")
_WALL_CLOCK = re.compile(r"\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?( ?[AaPp]\.?[Mm]\.?)?")
_DEGREES = re.compile(r"[+-]?\d{1,3}[.,]\d+")
_SECONDS = re.compile(r"[12]?\d{9}(\d{3})?(\.\d+)?")  # or milliseconds since 1970
_POINT_TEXT = re.compile(
    r"(SRID=\d+;)?\s*POINT\s*(ZM|Z|M)?\s*(\(.*|EMPTY)|\{.*\"Point\".*\}|0[01][0-9a-fA-F]{40,}",
    re.DOTALL | re.IGNORECASE,
)
_PATH_TEXT = re.compile(r"\[\s*(\[[^][]*\]\s*,?\s*)*\]")
_PAIR_TEXT = re.compile(
    r"(geo:)?[\[(]?\s*[+-]?\d{1,3}\.\d+\s*[,;\s]\s*[+-]?\d{1,3}\.\d+\s*[\])]?(;.*)?"
)
_SHAPE_TEXT = re.compile(r"(SRID=\d+;)?\s*((MULTI)?(LINESTRING|POLYGON)|MULTIPOINT)\b.*", re.S)


def _plain(name: str) -> str:
    return re.sub(r"[\W_]", "", name.strip().lstrip("#")).lower()


def _names(text: str) -> set[str]:
    return set(text.split())


_ALL = {name for text in (*USUAL.values(), *_TRIP_NAMES.values()) for name in text.split()}
_ALL |= _names(_BEGIN) | _names(_END) | _names(_RIDER) | _names(_POINT) | _names(_DATE)
_ALL |= set(_SCALED) | {name for text in _PROJECTED.values() for name in text.split()}


def is_usual(name: str) -> bool:
    """Tell whether a name is a usual one of a column of records.

    Parameters
    ----------
    name : str
        A name.

    Returns
    -------
    bool
        True for "user_id", "User ID", "timestamp", ...
    """
    return _plain(name) in _ALL


@dataclass
class Roles:
    """The column of each role, and how it was found.

    Attributes
    ----------
    columns : dict of str to str or list of str
        Column of each role; for time possibly several, which are joined.
    notes : list of str
        What was found.
    guessed_user : bool
        Whether the column of users was found by its name.
    scale : float or None
        What degrees are multiplied by in the file, if a name says so.
    people_from_files : bool
        Whether each file is a person.
    """

    columns: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    guessed_user: bool = False
    scale: float | None = None
    people_from_files: bool = False

    @property
    def is_trip(self) -> bool:
        """Whether a row is a trip from an origin to a destination."""
        return any(role in self.columns for pair in TRIP.values() for role in pair)

    @property
    def used(self) -> list[str]:
        """All columns that have a role."""
        found: list[str] = []
        for column in self.columns.values():
            found += column if isinstance(column, list) else [column]
        return list(dict.fromkeys(found))


class _Finder:
    """What a table's names and first rows say about roles."""

    def __init__(
        self, file: str, sample: pd.DataFrame, given: Mapping[str, Any], texts: Any, crs: bool
    ):
        names = [str(name) for name in sample.columns]
        self.file, self.sample = file, sample
        self.header = [name for name in names if name and names.count(name) == 1]
        self.given, self.texts, self.crs = dict(given), texts, crs
        self.found = Roles(columns=dict(given))

    # by name

    def usual(self, role: str, names: str, besides: tuple[str, ...] = ()) -> str | None:
        """The one unused column with a usual name; ValueError if there are several."""
        free = [column for column in self.header if column not in besides]
        if role in free:
            return role
        wanted = _names(names)
        known = [column for column in free if _plain(column) in wanted]
        if len(known) > 1 and role == "user":
            several = {column: self.values(column) for column in known}
            again = [column for column, values in several.items() if len(set(values)) < len(values)]
            known = again if len(again) == 1 else known
            known.sort(key=lambda column: len(set(several[column])))  # the example comes first
            known = sorted(known, key=self.header.index) if len(known) < 2 else known
        return self.only(role, known)

    def only(self, role: str, known: list[str]) -> str | None:
        """The one column that may have a role; ValueError if there are several."""
        if len(known) > 1:
            raise ValueError(
                f"{self.file}: columns {' and '.join(map(format_value, known))} may each be "
                f"{role}: say which with columns={{{role}: {known[0]}}}"
            )
        return known[0] if known else None

    def rarer(self, role: str, besides: tuple[str, ...] = ()) -> str | None:
        """The one unused column with a name that is less usual."""
        wanted = _names(_RARER[role])
        known = [c for c in self.header if c not in besides and _plain(c) in wanted]
        if role == "roi":  # the name of a place beside its id
            stems = {_plain(c).removesuffix("id") for c in known if not _plain(c).endswith("name")}
            known = (
                [c for c in known if _plain(c).removesuffix("name") not in stems]
                if stems
                else (known)
            )
            known = known or [c for c in self.header if _plain(c) in wanted]
        return self.only(role, known)

    def first(self, names: str) -> str | None:
        """The column with the usual name that is listed first."""
        plain = {_plain(column): column for column in reversed(self.header)}
        return next((plain[name] for name in names.split() if name in plain), None)

    # by value

    def values(self, column: str) -> list[str]:
        return self.texts(self.sample, column)

    def all_match(self, column: str, pattern: re.Pattern[str]) -> bool:
        values = self.values(column)
        return bool(values) and all(pattern.fullmatch(value) for value in values)

    def most_match(self, column: str, pattern: re.Pattern[str]) -> bool:
        values = self.values(column)
        return 2 * sum(pattern.fullmatch(value) is not None for value in values) > len(values)

    # roles

    def add(self, role: str, column: str | list[str]) -> None:
        self.found.columns[role] = column

    def find(self, many_files: bool) -> Roles:
        given = set(self.given)
        of_trip = {role for pair in TRIP.values() for role in pair}
        free = not given - {"user", "time", "until"}
        if given & of_trip or (free and "time" not in given and self._trip()):
            self._trip()
            self._user(many_files, _RIDER + " " + USUAL["user"])
            return self.found
        if free:
            self._place()
        elif "roi" in given and self.most_match(self.given["roi"], _POINT_TEXT):
            self.add("point", self.found.columns.pop("roi"))
        elif "roi" in given:
            self._check_no_shape(self.given["roi"])
        elif len(given & {"lat", "lon"}) == 1:
            self._other_side("lon" if "lat" in given else "lat")
        self._time()
        self._user(many_files, USUAL["user"])
        return self.found

    def _trip(self) -> bool:
        """Find what a trip has; whether there is all of it."""
        begin = self.given.get("time") or self.first(_BEGIN)
        end = self.given.get("until") or self.first(_END)
        found = {
            role: self.given.get(role) or self.first(names) for role, names in _TRIP_NAMES.items()
        }
        ids = all(found[role] for role in TRIP["roi"])
        points = all(found[role] for side in ("lat", "lon") for role in TRIP[side])
        if not (begin and end and begin != end and (ids or points)):
            return False
        wanted = (TRIP["roi"] if ids else ()) + ((*TRIP["lat"], *TRIP["lon"]) if points else ())
        for role in wanted:
            self.add(role, str(found[role]))
        self.add("time", begin)
        self.add("until", end)
        return True

    def _other_side(self, side: str) -> None:
        usual = self.usual(side, USUAL[side]) or self.first(_PROJECTED[side])
        column = usual or self.only(side, self._sides(side))
        if column is not None:
            self.add(side, column)

    def _sides(self, side: str) -> list[str]:
        """Columns with names such as gps_lat and location-long."""
        used = {c for column in self.found.columns.values() for c in _listed(column)}
        return [c for c in self.header if c not in used and _SIDE[side].fullmatch(_plain(c))]

    def _place(self) -> None:
        pair = [self.usual(side, USUAL[side]) for side in ("lat", "lon")]
        if self.crs and not any(pair):
            pair = [self.first(_PROJECTED[side]) for side in ("lat", "lon")]
        exact = "roi" in self.header
        if not all(pair) and not exact and self._scaled():
            return
        points = self._points() if not all(pair) else []
        names = USUAL["roi"] if not all(pair) or not {"lat", "lon"} <= set(self.header) else "roi"
        roi = self.usual("roi", names, tuple(points))
        if roi is None and not all(pair) and not points:
            pair = [self.only(side, self._sides(side)) for side in ("lat", "lon")]
            roi = None if all(pair) else self._cells() or self.rarer("roi")
        if roi is not None:
            self._check_no_shape(roi)
            self.add("roi", roi)
        if all(pair):
            for side, column in zip(("lat", "lon"), pair, strict=True):
                self.add(side, str(column))
        elif points:
            self.add("point", points[0])
        elif roi is None and (paths := [c for c in self.header if self._is_path(c)]):
            self.add("polyline", paths[0])
        elif roi is None:
            for column in self.header:
                self._check_no_shape(column)

    def _is_path(self, column: str) -> bool:
        return "polyline" in _plain(column) and self.all_match(column, _PATH_TEXT)

    def _cells(self) -> str | None:
        """A column such as h3_09 or geohash7."""
        named = [c for c in self.header if re.fullmatch(r"(h3|geohash)\w*", _plain(c))]
        return self.only("roi", named)

    def _scaled(self) -> bool:
        """Whether two columns are named as degrees times a power of ten."""
        lat = next((c for c in self.header if _plain(c) in _SCALED), None)
        if lat is None:
            return False
        name = _plain(lat).replace("latitude", "longitude").replace("late", "lone")
        lon = self.first(f"{name} {name.replace('lon', 'lng')} {name.replace('longitude', 'lon')}")
        if lon is None:
            return False
        self.found.scale = _SCALED[_plain(lat)]
        self.add("lat", lat)
        self.add("lon", lon)
        return True

    def _points(self) -> list[str]:
        free = [c for c in self.header if c not in self.given.values()]
        found = [column for column in free if self.most_match(column, _POINT_TEXT)]
        if len(found) > 1:
            named = [column for column in found if _plain(column) in _names(_POINT)]
            if len(named) != 1:
                raise ValueError(
                    f"{self.file}: columns {' and '.join(map(format_value, found))} may each be "
                    f"point: say which with columns={{point: {found[0]}}}"
                )
            found = named
        return found

    def _check_no_shape(self, column: str) -> None:
        """Refuse lines, areas and pairs of coordinates in place of zones or points."""
        shape = self.most_match(column, _SHAPE_TEXT)
        if not shape and not self.most_match(column, _PAIR_TEXT):
            return
        value = format_value(self.values(column)[0][:40])
        remedy = (
            "points were expected. Write one row for each point, or the centre of each shape"
            if shape
            else "a zone was expected, or a point. Write latitude and longitude in two "
            "columns, or points as POINT (9.19 45.46), longitude first"
        )
        raise ValueError(f"{self.file}: column {format_value(column)} holds {value}; {remedy}")

    def _time(self) -> None:
        if "time" in self.given:
            self._note_unused_clock()
            return
        exact = "time" in self.header and not self.all_match("time", _ONLY_CLOCK)
        column = "time" if exact else self._moment()
        if column is None and "time" in self.header:
            column = "time"  # and a time of day without a date is refused with its line
        if column is None and (parts := self._calendar()):
            self.add("time", parts)
            return
        if column is None:
            return
        self.add("time", column)
        if not isinstance(column, list) and self.all_match(column, _ONLY_DATE):
            clock = self._clock(column)
            if clock:
                self.add("time", [column, *clock])
            else:
                self._note_midnight(column)
        end = self.first(_END) if "until" not in self.given else None
        if end not in (None, *_listed(self.found.columns["time"])) and self._is_moment(str(end)):
            self.add("until", str(end))

    def _moment(self) -> str | None:
        """The column of times, one of days, or the start of stays."""
        names = _names(USUAL["time"])
        known = [column for column in self.header if _plain(column) in names]
        known = [column for column in known if not self.all_match(column, _ONLY_CLOCK)]
        whole = [column for column in known if not self.all_match(column, _ONLY_DATE)]
        known = whole if len(whole) == 1 else known
        if len(known) > 1:
            raise ValueError(
                f"{self.file}: columns {' and '.join(map(format_value, known))} may each be time: "
                f"say which with columns={{time: {known[0]}}}"
            )
        if known:
            return known[0]
        days = [column for column in self.header if _plain(column) in _names(_DATE)]
        days = [column for column in days if self.all_match(column, _ONLY_DATE)]
        stamps = [column for column in self.header if self.all_match(column, _STAMP)]
        named = self.first(_BEGIN) or (days[0] if days else None)
        if named is None and len(stamps) == 1:
            return stamps[0]
        return named or self.rarer("time")

    def moments(self) -> list[str]:
        """Unused columns whose values look like times."""
        free = [column for column in self.header if column not in self.found.used]
        return [c for c in free if self.all_match(c, _STAMP) or self.all_match(c, _SECONDS)]

    def _is_moment(self, column: str) -> bool:
        values = self.values(column)
        return bool(values) and all(re.search(r"\d", value) for value in values)

    def _clock(self, date: str) -> list[str]:
        """The columns of the hour (and the minute) or the time of day beside a column of days."""
        used = [c for column in self.found.columns.values() for c in _listed(column)]
        free = [c for c in self.header if c not in used and self._may_be_clock(c)]
        usual = [c for c in free if _plain(c) in _names(_CLOCK)]
        fits = [column for column in usual if self.all_match(column, _ONLY_CLOCK)]
        parts = [self.first("hour hr hh h"), self.first("minute min")]
        if all(parts) and set(fits) == set(parts):
            return [str(part) for part in parts]
        if len(fits) == 1:
            return fits
        if free:
            best = (fits or free)[0]
            raise ValueError(
                f"{self.file}: column {format_value(date)} holds days, and "
                f"{' and '.join(map(format_value, fits or free))} may hold the time of day: say "
                f"so with columns={{time: [{date}, {best}]}}, or give "
                f"columns={{time: {date}}} to leave everybody at midnight"
            )
        return []

    def _may_be_clock(self, column: str) -> bool:
        if self.all_match(column, _WALL_CLOCK):
            return True
        named = _plain(column) in _names(_CLOCK) or _CLOCK_LIKE.search(_plain(column))
        return bool(named) and not self.all_match(column, _ONLY_DATE)

    def _calendar(self) -> list[str] | None:
        """Columns of year, month and day, and of the hour if there is one."""
        parts = [self.first(name) for name in ("year", "month", "day")]
        if not all(parts):
            return None
        return [str(part) for part in (*parts, self.first("hour hr"), self.first("minute")) if part]

    def _note_unused_clock(self) -> None:
        column = self.given["time"]
        if not isinstance(column, list) and self.all_match(column, _ONLY_DATE):
            self._note_midnight(column)

    def _note_midnight(self, column: str) -> None:
        beside = [c for c in self.header if _plain(c) in _names(_CLOCK) and c != column]
        beside = [c for c in beside if self.all_match(c, _ONLY_CLOCK)]
        hint = f"; columns={{time: [{column}, {beside[0]}]}} joins the two" if beside else ""
        self.found.notes.append(f"{column} holds days, so everybody is at midnight{hint}")

    def _user(self, many_files: bool, names: str) -> None:
        if "user" in self.given:
            return
        used = tuple(c for column in self.found.columns.values() for c in _listed(column))
        column = self.usual("user", names, used)
        if column is None and not many_files:
            column = self.rarer("user", used)
        if column is not None:
            self.add("user", column)
            self.found.guessed_user = True
        elif many_files:
            self.found.people_from_files = True


def _listed(column: Any) -> list[str]:
    return column if isinstance(column, list) else [column]


def check_given(columns: Any, header: list[str], file: str) -> dict[str, Any]:
    """Check what `columns=` says.

    Parameters
    ----------
    columns : mapping of str to str or list of str, or None
        Column of each role.
    header : list of str
        The table's columns.
    file : str
        The table's name, for messages.

    Returns
    -------
    dict
        Column of each role.

    Raises
    ------
    ValueError
        For an unknown role or column.
    """
    if columns is None:
        return {}
    check_instance("columns", columns, Mapping, "{user: ..., time: ..., lat: ..., lon: ...}")
    for role, column in columns.items():
        if role not in ROLES:
            raise ValueError(
                f"columns: no role {format_value(role)}; one of {', '.join(ROLES)} was expected"
            )
        if isinstance(column, list) and role not in ("time", "until"):
            raise ValueError(
                f"columns: {role} is {format_value(column)}; one column was expected (only time "
                "and until may be joined from several)"
            )
        for each in _listed(column):
            if each not in header:
                raise ValueError(
                    f"columns: no column {format_value(each)}; one of those of {file} was "
                    f"expected: {format_names(header)}"
                )
    return dict(columns)


def find(
    columns: Any,
    sample: pd.DataFrame,
    file: str,
    texts: Any,
    many_files: bool = False,
    projected: bool = False,
) -> Roles:
    """Find the column of each role.

    Parameters
    ----------
    columns : mapping, optional
        What the reader says.
    sample : DataFrame
        The first rows, with the names of the columns.
    file : str
        The table's name, for messages.
    texts : callable
        Returns the values of a column of the sample as text.
    many_files : bool
        Whether there are several files, so that each may be a person.
    projected : bool
        Whether coordinates are those of a projection, so that columns may be named x and y.

    Returns
    -------
    Roles
        The roles.

    Raises
    ------
    ValueError
        If a role has no column, or may have several.
    """
    header = [str(name) for name in sample.columns]
    given = check_given(columns, header, file)
    finder = _Finder(file, sample, given, texts, projected)
    found = finder.find(many_files)
    _check_complete(found, finder, file, header)
    renamed = [
        f"{role} is {_described(column)}"
        for role, column in found.columns.items()
        if role != column and role not in given
    ]
    found.notes = ([", ".join(renamed)] if renamed else []) + found.notes
    return found


def _described(column: Any) -> str:
    listed = " and ".join(f"{each!r}" for each in _listed(column))
    return f"columns {listed} joined" if isinstance(column, list) else f"column {listed}"


def _check_complete(found: Roles, finder: _Finder, file: str, header: list[str]) -> None:
    has = set(found.columns)
    missing = [role for role in ("user", "time") if role not in has]
    if found.people_from_files:
        missing.remove("user")
    if found.is_trip:
        missing += [role for role in _missing_of_trip(has)]
    elif not has & {"roi", "point", "polyline"} and not {"lat", "lon"} <= has:
        missing.append("roi (or lat and lon)")
    if missing:
        raise ValueError(
            f"{file}: columns does not say which column is {', '.join(missing)}; "
            f"the file has {format_names(header)}. {_hint(missing, finder)}"
        )


def _hint(missing: list[str], finder: _Finder) -> str:
    """What to do if roles have no column."""
    if finder.sample.shape[1] == 1:
        return (
            "There is one column only, so its separator was not found: separate columns by commas, "
            "semicolons, tabs, bars or spaces"
        )
    x, y = (finder.first(_PROJECTED[side]) for side in ("lon", "lat"))
    if x and y and "roi (or lat and lon)" in missing:
        return (
            f"If {x} and {y} are coordinates of a projection, give crs= (such as "
            f"crs=EPSG:27700, which requires pyproj); if they are degrees, "
            f"columns={{lon: {x}, lat: {y}}}"
        )
    if missing == ["user"]:
        ids = id_like(finder.sample[finder.header], finder.found.used, finder.texts)
        ids = [column for column in ids if not _PLACE_LIKE.search(column.lower())]
        example = ids[0] if ids else "..."
        return (
            f"Name the column of the person or the device with columns={{user: {example}}}. If no "
            "column does, these rows are not about people: audit --counts examines counts"
        )
    names = {"user": "id", "time": "when"}
    if "time" in missing and (moments := finder.moments()):
        names["time"] = moments[0]
    parts = [
        "lat: y, lon: x" if role.startswith("roi ") else f"{role}: {names.get(role, '...')}"
        for role in missing
    ]
    return f"For instance: columns={{{', '.join(parts)}}}"


def _missing_of_trip(has: set[str]) -> list[str]:
    points = [role for side in ("lat", "lon") for role in TRIP[side]]
    missing = [role for role in TRIP["roi"] if role not in has] if has & set(TRIP["roi"]) else []
    missing += [role for role in points if role not in has] if has & set(points) else []
    return missing + (["until"] if "until" not in has else [])


def by_position(sample: pd.DataFrame, texts: Any) -> list[str]:
    """Guess the role of each column of a table without names, as an example for a message.

    Parameters
    ----------
    sample : DataFrame
        The first rows.
    texts : callable
        Returns the values of a column of the sample as text.

    Returns
    -------
    list of str
        A role for each column, "-" for none.
    """
    finder = _Finder("", sample, {}, texts, crs=False)
    rows = {column: finder.values(column) for column in finder.header}
    found: dict[str, str] = dict.fromkeys(finder.header, "-")
    moments = finder.moments() or [c for c in rows if finder.all_match(c, _ONLY_DATE)]
    degrees = [c for c, values in rows.items() if values and all(map(_DEGREES.fullmatch, values))]
    degrees = [column for column in degrees if column not in moments][:2]
    if len(degrees) == 2:
        east_first = any(abs(float(value.replace(",", "."))) > 90 for value in rows[degrees[0]])
        found |= dict(zip(degrees, ("lon", "lat") if east_first else ("lat", "lon"), strict=True))
    if moments:
        found[moments[0]] = "time"
    left = [column for column, role in found.items() if role == "-"]
    wanted = ("user",) if len(degrees) == 2 else ("user", "roi")
    return list((found | dict(zip(left, wanted, strict=False))).values())


def id_like(
    finder_sample: pd.DataFrame, used: list[str], texts: Any, user: str | None = None
) -> list[str]:
    """List columns without a role that look like ids: of a few things, which come again.

    Parameters
    ----------
    finder_sample : DataFrame
        The first rows.
    used : list of str
        Columns that have a role.
    texts : callable
        Returns the values of a column of the sample as text.
    user : str, optional
        The column that was taken for the person, if it numbers the rows: any column of words that
        come again may then be the person.

    Returns
    -------
    list of str
        The columns.
    """
    found = []
    numbered = user is not None and user in finder_sample
    numbered = numbered and _numbers_rows(str(user), texts(finder_sample, user))
    for column in finder_sample.columns:
        values = texts(finder_sample, column) if column not in used else []
        again = 1 < len(set(values)) <= len(values) / 2
        again = again and not _KIND.search(column.lower())
        named = _ID_LIKE.search(column if column[-2:] in ("Id", "ID") else column.lower())
        words = numbered and len(set(values)) >= _FEW_PEOPLE and not _is_measure(values)
        if again and (named or words):
            found.append(column)
    return found


def _numbers_rows(column: str, values: list[str]) -> bool:
    """Whether a column is called id, or has consecutive numbers."""
    if _plain(column) == "id":
        return True
    try:
        numbers = [int(value) for value in values]
    except ValueError:
        return False
    return all(b - a == 1 for a, b in pairwise(numbers))


def _is_measure(values: list[str]) -> bool:
    """Whether all values are numbers or times."""
    return all(re.fullmatch(r"[+-]?\d+([.,]\d+)?", each) for each in values) or all(
        re.fullmatch(r"\d[\d:/. T-]+\d.*", each) for each in values
    )
