import { FIRST_SIGHT_MS } from '@firsthand/recording'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/durations.ts'

/** Limits of replays: what of a segment is read, what of it is kept for lists and searches, and how much one answer holds. */
export const LIMITS = {
  /** A segment, inflated; SDKs stop at 20 MB. */
  REPLAY_INFLATED_BYTES: 32 * 1024 * 1024,
  /** Moments of one segment that are kept for screens and searches; it says how many more there were. */
  REPLAY_MARKS_PER_SEGMENT: 2000,
  /** Addresses, errors and traces of one segment, each. */
  REPLAY_IDS_PER_SEGMENT: 100,
  REPLAY_TAGS: 100,
  REPLAY_WORD_CHARS: 200,
  REPLAY_URL_CHARS: 2048,
  REPLAY_MARK_TEXT_CHARS: 1024,
  REPLAY_ELEMENT_CHARS: 64,
  /** Tag and role of an element. */
  REPLAY_ELEMENT_WORD_CHARS: 32,
  REPLAY_ELEMENT_CLASSES: 10,
  /** Of one text that stood on a page; the rest of it is not found. */
  REPLAY_TEXT_CHARS: 2000,
  /** Texts of one replay that are found again. */
  REPLAY_TEXTS: 20_000,
  /** Characters that all texts of one replay have together. */
  REPLAY_ALL_TEXT_CHARS: 2_000_000,
  /** Replays whose texts are counted at the same time: of one that goes on after so many others, they are counted anew. */
  REPLAY_TEXTS_COUNTED_REPLAYS: 2000,
  /** Replays of a visitor belong to one journey when no more than this lies between them. */
  REPLAY_JOURNEY_PAUSE_MS: 30 * MINUTE_MS,
  /** Replays of one visitor that are looked at for a journey: those that are nearest in time. */
  REPLAY_JOURNEY_REPLAYS: 100,
  /** A phone's video of one segment is taken for no longer than this. */
  REPLAY_VIDEO_MS: HOUR_MS,
  /** Ids of one visitor, and e-mail addresses, that a search for them finds. */
  REPLAY_VISITOR_NAMES: 200,
  /** Replays that somebody opened in the time of a search for what was seen. */
  REPLAYS_SEEN_SEARCHED: 5000,
  /** A visitor who does nothing for longer is idle. */
  REPLAY_IDLE_MS: 10_000,
  /** For so long after something happened whoever has a canvas that moves before them watches it, and is not idle. */
  REPLAY_CANVAS_WATCHED_MS: MINUTE_MS,
  /** Stretches of one segment in which the visitor did something. */
  REPLAY_ACTIVE_STRETCHES: 200,
  /** No recording goes on for longer without an event: where two of a segment are further apart, the clock was set. */
  REPLAY_CLOCK_JUMP_MS: HOUR_MS,
  /** A list that names no period is of the last days, so many. */
  REPLAY_LIST_DAYS: 14,
  /** Replays of an issue are counted over more of them: issues are older than what is shown of them. */
  REPLAY_COUNT_DAYS: 90,
  /** A replay may go on into a period, or out of it: its segments are looked for so much further on both sides. */
  REPLAY_AROUND_MS: DAY_MS,
  /** How far back the segments of a replay are looked for of which something came now: SDKs send late, and clocks are off. */
  REPLAY_LATE_MS: 2 * DAY_MS,
  /** Notes of an SDK that lie further outside of the recording have a clock of their own, and are placed so near to it. */
  REPLAY_MARK_OUTSIDE_MS: HOUR_MS,
  /** Segments of one replay that are read. */
  REPLAY_SEGMENTS: 10_000,
  /** Errors and messages of one replay that name it. */
  REPLAY_EVENTS: 1000,
  /** Nothing of a deleted replay is on its way any more after this time; until then it is looked for again. */
  REPLAY_DELETION_SETTLES_MS: 15 * MINUTE_MS,
  /** How often it is looked for what was on its way of deleted replays. */
  REPLAY_DELETION_INTERVAL_MS: MINUTE_MS,
  /** Replays that are deleted, or looked for again, by one statement. */
  REPLAY_DELETIONS_AT_ONCE: 200,
  /** Replays of one project that may have a star. */
  REPLAY_STARS: 1000,
  /** Replays that are too old, or too many for their space, are looked for so often. */
  REPLAY_KEEPING_INTERVAL_MS: 10 * MINUTE_MS,
  /** Packs whose chunks are measured at once. */
  REPLAY_PACKS_MEASURED: 200,
  /** A deletion of many replays that fails so often in a row ends. */
  REPLAY_DELETION_ATTEMPTS: 5,
  /** Deletions of many replays that wait in one project. */
  REPLAY_DELETION_JOBS_WAITING: 20,
  /** Characters of ids and addresses that the search of one such deletion stands for. */
  REPLAY_DELETION_NAMES_CHARS: 256 * 1024,
  /** Issues or transactions whose replays are counted at once. */
  REPLAY_COUNTED_ISSUES: 25,
  /** Replays that one request may ask for, whether they came. */
  REPLAY_COUNTED_REPLAYS: 100,
  /** Replays of one issue or transaction that are named. */
  REPLAYS_NAMED: 100,
  /** Replays that one live update names; when a batch has more of a project, it names none. */
  REPLAYS_NAMED_LIVE: 100,
  /** Of one replay, so many bytes of what was recorded are drawn, inflated; and so many of segments that overlap are held. */
  REPLAY_PLAYED_BYTES: 1024 * 1024 * 1024,
  REPLAY_OVERLAP_BYTES: 64 * 1024 * 1024,
  /** One segment has to be cut into chunks in this time, and what of a replay is cut in one turn in this one. */
  REPLAY_SEGMENT_CUT_MS: MINUTE_MS,
  REPLAY_CUT_MS: 2 * MINUTE_MS,
  /** Chunks of one replay, and their bytes: so many, and so many times what was recorded, inflated. */
  REPLAY_CHUNKS: 20_000,
  REPLAY_CHUNK_BYTES_BASE: 16 * 1024 * 1024,
  REPLAY_CHUNK_BYTES_TIMES: 16,
  /** Bytes of chunks that the cutting thread hands over at once; the last chunk may go beyond it. */
  REPLAY_PORTION_BYTES: 8 * 1024 * 1024,
  /** A thread that reads recordings ends when it was not needed for so long. */
  REPLAY_THREAD_IDLE_MS: 10_000,
  /** Replays that wait to be cut, of all and of one caller, and for how long. */
  REPLAY_PACKS_WAITING: 50,
  REPLAY_PACKS_WAITING_PER_CALLER: 5,
  REPLAY_PACK_WAIT_MS: MINUTE_MS,
  /** Chunks whose replay was not cut to its end go after this time. */
  REPLAY_PACK_UNDER_WAY_MS: HOUR_MS,
  /** A replay of which nothing came for so long is complete. */
  REPLAY_QUIET_MS: 20 * MINUTE_MS,
  /** Then it is cut into chunks if so much of it was recorded, inflated; others when somebody looks at them. */
  REPLAY_CUT_AHEAD_BYTES: 4 * 1024 * 1024,
  /**
   * How often complete replays are looked for that are to be cut ahead, how many at once, and after a start of the server
   * how far back.
   */
  REPLAY_QUIET_INTERVAL_MS: MINUTE_MS,
  REPLAY_QUIET_AT_ONCE: 100,
  REPLAY_QUIET_LOOK_BACK_MS: DAY_MS,
  /** Browsers keep a chunk, and a video, for so long: nothing else ever has its number. */
  REPLAY_CHUNK_CACHE_SECONDS: 24 * 3600,
  /** Of segments, inflated, that one exported test is made of: the last before its error. */
  REPLAY_TEST_BYTES: 32 * 1024 * 1024,
  /** A test has to be made in this time. */
  REPLAY_TEST_MS: 30_000,
  /** Requests are noted when they are over: so long after a test's error they are looked for. */
  REPLAY_TEST_LATE_MS: 10_000,
  /** The clocks of an error and of its replay are corrected each for itself: by so much they may differ. */
  REPLAY_TEST_CLOCKS_MS: 100,
  /** Of a page that a list shows: nodes, and characters of its HTML; of a longer one it has the beginning. */
  REPLAY_PICTURE_NODES: 4000,
  REPLAY_PICTURE_CHARS: 1_000_000,
  /** What is read for it, inflated; of a replay with more the list has no picture. */
  REPLAY_PICTURE_READ_BYTES: 8 * 1024 * 1024,
  /**
   * Style sheets and images that were kept of it, in bytes, and the characters that they may take in its HTML. Fonts are not
   * among them: nobody reads so small a text.
   */
  REPLAY_PICTURE_ASSET_BYTES: 256 * 1024,
  REPLAY_PICTURE_PUT_IN_CHARS: 500_000,
  /** It has to be drawn in this time, and each time again with what was kept of it. */
  REPLAY_PICTURE_MS: 20_000,
  /** So long after its beginning a replay is shown; by then a page has mostly loaded. */
  REPLAY_PICTURE_AFTER_MS: 5000,
  /** Where nothing is to be seen by then: so long after its first page it is looked for. Players open a replay by it, too. */
  REPLAY_FIRST_SIGHT_MS: FIRST_SIGHT_MS,
  /** Pages that wait to be drawn, of all and of one caller, and for how long. */
  REPLAY_PICTURES_WAITING: 100,
  REPLAY_PICTURES_WAITING_PER_CALLER: 24,
  REPLAY_PICTURE_WAIT_MS: MINUTE_MS,
  /** Browsers keep it for so long: whoever comes back to a list does not ask again. */
  REPLAY_PICTURE_CACHE_SECONDS: 600,
  /** A request has to be read out of its segment in this time. */
  REPLAY_REQUEST_READ_MS: 10_000,
  /** Headers that are shown of a request, and as many of its answer. */
  REPLAY_REQUEST_HEADERS: 100,
  /** Characters that are shown of a body. SDKs record half as many; as indented JSON they may become twice as many. */
  REPLAY_REQUEST_BODY_CHARS: 300_000,
  /** Levels of a body that is written over several lines; deeper values stand on one. */
  REPLAY_REQUEST_BODY_LEVELS: 32,
  /** Warnings of the recorder that are shown of a body. */
  REPLAY_REQUEST_WARNINGS: 10,
  /** Links of one replay that open it at the same time. */
  REPLAY_LINKS: 50,
  /** A link, or a file, shows at least so much of a replay. */
  REPLAY_SHARED_MS: 1000,
  /** Whoever opens a link so soon after others gets what was read for them. */
  REPLAY_SHARED_ANSWER_MS: 5000,
  /** Moments and chunks that are remembered for that, of all links. */
  REPLAY_SHARED_ANSWERS_ENTRIES: 60_000,
  /** Chunks of one shared replay that are cut to the stretch it shows, or packed into its file: each has to be done in this time. */
  REPLAY_SLICE_MS: 20_000,
  /** Chunks that wait for it, of all links of one organisation, or of one member's files. */
  REPLAY_SLICES_WAITING_PER_CALLER: 20,
  /** What was made of chunks of all links is remembered, so many bytes for so long. */
  REPLAY_SLICES_HELD_BYTES: 32 * 1024 * 1024,
  REPLAY_SLICES_HELD_MS: 10 * MINUTE_MS,
  /** Of what is drawn, so many bytes go into one file before they are packed; and of videos, which are as they came. */
  REPLAY_FILE_BYTES: 192 * 1024 * 1024,
  /**
   * Of pictures, fonts and style sheets that were kept of its pages, so many bytes are shown by one link or file. Style
   * sheets among them, which are written into each chunk, have so many; a chunk takes so many characters of them, as a page
   * may name one often. Of all links, so many bytes of style sheets are remembered.
   */
  REPLAY_SHARED_ASSET_BYTES: 32 * 1024 * 1024,
  REPLAY_SHARED_SHEET_BYTES: 4 * 1024 * 1024,
  REPLAY_SHARED_PUT_IN_CHARS: 8 * 1024 * 1024,
  REPLAY_SHARED_SHEETS_HELD_BYTES: 16 * 1024 * 1024,
  /** Of the player in such a file, its styles among them. */
  REPLAY_FILE_PLAYER_BYTES: 1024 * 1024,
  /** Marks of one answer. */
  REPLAY_MARKS: 20_000,
  /** Addresses of pictures, fonts and style sheets that are noted of one segment, and of one replay. */
  REPLAY_ASSETS_PER_SEGMENT: 300,
  REPLAY_ASSETS: 1000,
  /** Of one replay, so many addresses for which there is no room are counted, each once. */
  REPLAY_ASSETS_LEFT_OUT: 1000,
  /** A longer address is not noted. */
  REPLAY_ASSET_URL_CHARS: 2048,
  /** Addresses that wait to be fetched in one project, and in all projects of its organisation. */
  REPLAY_ASSETS_WAITING: 5000,
  REPLAY_ASSETS_WAITING_PER_ORGANIZATION: 20_000,
  /** What is fetched for one project in a day (UTC) at most: requests, and bytes of answers. */
  REPLAY_ASSET_REQUESTS_PER_DAY: 20_000,
  REPLAY_ASSET_BYTES_PER_DAY: 1_000_000_000,
  /** The same of all projects of an organisation. */
  REPLAY_ASSET_REQUESTS_PER_DAY_PER_ORGANIZATION: 80_000,
  REPLAY_ASSET_BYTES_PER_DAY_PER_ORGANIZATION: 4_000_000_000,
  /** One answer has so many bytes at most, has to come in this time, and after no more redirects than these. */
  REPLAY_ASSET_BYTES: 2 * 1024 * 1024,
  REPLAY_ASSET_FETCH_MS: 15_000,
  REPLAY_ASSET_REDIRECTS: 3,
  /** What failed and may come another time is asked for so often; the pause before is this, then four times as long each time. */
  REPLAY_ASSET_ATTEMPTS: 4,
  REPLAY_ASSET_RETRY_MS: MINUTE_MS,
  /** How deep sheets inside of sheets are fetched, and how many addresses of one sheet. */
  REPLAY_ASSET_DEPTH: 3,
  REPLAY_ASSETS_PER_SHEET: 200,
  /** Addresses that all style sheets of a project name together, as far as they are fetched. */
  REPLAY_ASSET_PARTS: 100_000,
  /** A style sheet has to be read in this time. */
  REPLAY_ASSET_SHEET_MS: 10_000,
  /** What was fetched is good for later replays for so long; what failed is asked for anew after this time. */
  REPLAY_ASSET_FRESH_MS: DAY_MS,
  REPLAY_ASSET_FAILED_MS: HOUR_MS,
  /** It is looked for what to fetch so often; so many are fetched at once, and so many of a project before the next one's. */
  REPLAY_ASSET_INTERVAL_MS: 5000,
  REPLAY_ASSETS_AT_ONCE: 6,
  REPLAY_ASSETS_PER_TURN: 24,
  /** What an admin changed is known where segments are read after this time. */
  REPLAY_ASSET_RULES_MS: 5000,
  /** Browsers keep what was fetched for so long: nothing else ever has its number. */
  REPLAY_ASSET_CACHE_SECONDS: 24 * 3600,
} as const
