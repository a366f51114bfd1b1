const MIB = 1024 * 1024

/** Limits of uploads of artifacts. */
export const LIMITS = {
  /** A piece of a file, as it is told to clients: a power of two. */
  UPLOAD_CHUNK_BYTES: 8 * MIB,
  UPLOAD_CHUNKS_PER_REQUEST: 64,
  /** Pieces of one request, unpacked. */
  UPLOAD_REQUEST_BYTES: 32 * MIB,
  /** Of one file, in pieces. */
  UPLOAD_FILE_BYTES: 2048 * MIB,
  /** Requests that a client is told to send at once. */
  UPLOAD_CONCURRENCY: 4,
  /** Bodies with files that are read at once, of all and of one organisation; each holds one piece of a file. */
  UPLOADS_READ: 4,
  UPLOADS_READ_PER_ORGANIZATION: 3,
  /** Others wait, so many and for so long. */
  UPLOADS_WAITING: 64,
  UPLOAD_WAIT_MS: 60_000,
  /** A file of a release that is sent by itself, which is whole in memory; such files that are read at once. */
  RELEASE_FILE_BYTES: 32 * MIB,
  RELEASE_FILES_READ: 2,
  RELEASE_FILE_NAME_CHARACTERS: 4096,
  RELEASE_FILE_HEADERS: 20,
  /** Pieces that nothing was made of go after this time. */
  UPLOAD_CHUNK_KEPT_MS: 24 * 60 * 60_000,
  /** Pieces of one organisation that are kept at once. */
  UPLOAD_CHUNKS_KEPT_BYTES: 8192 * MIB,
  /** Artifacts of one organisation, with what its source maps are made into. */
  ARTIFACTS_KEPT_BYTES: 20_480 * MIB,
  /** Whoever asks for a bundle waits so long for its end, and is told that it is under way then. */
  ASSEMBLE_WAIT_MS: 10_000,
  /** After so many tries that ended with the server, a bundle is given up. */
  ASSEMBLE_ATTEMPTS: 3,
  /** Uploads that wait for being put together, of all and of one organisation, and how long; later they are begun again. */
  ASSEMBLIES_WAITING: 10_000,
  ASSEMBLIES_WAITING_PER_ORGANIZATION: 2000,
  ASSEMBLY_WAIT_MS: 10 * 60_000,
  /** How often bundles are looked for that nobody is at. */
  ASSEMBLE_INTERVAL_MS: 30_000,
  /** What was wrong with a bundle is told for so long, then it is tried again. */
  ASSEMBLE_ERROR_KEPT_MS: 60_000,
  /** For the next files of a bundle that is unpacked. */
  UNPACK_ANSWER_MS: 60_000,
  /** Memory of the thread that does it, beside the bytes of files. */
  UNPACK_HEAP_MIB: 192,
  /** Unpacked files up to this size are handed on in memory, so many bytes at once; larger ones as files. */
  UNPACKED_IN_MEMORY_BYTES: 1 * MIB,
  UNPACKED_AT_ONCE_BYTES: 4 * MIB,
  UNPACKED_FILES_AT_ONCE: 500,
  /** The list of a bundle's files, unpacked. */
  MANIFEST_BYTES: 16 * MIB,
  /** A source map; `JSON.parse` takes several times its bytes. */
  SOURCE_MAP_BYTES: 256 * MIB,
  SOURCE_MAP_SEGMENTS: 20_000_000,
  SOURCE_MAP_LINES: 10_000_000,
  SOURCE_MAP_SOURCES: 200_000,
  SOURCE_MAP_NAMES: 5_000_000,
  SOURCE_MAP_SECTIONS: 10_000,
  /** Of generated code whose functions are looked for; parsing takes a second a megabyte, and forty times its bytes. */
  SCOPED_CODE_CHARACTERS: 8 * MIB,
  /** The beginning of generated code, in which what uploading added is looked for. */
  CODE_HEAD_BYTES: 64 * 1024,
  /** Of the name of a source, or of an identifier; what is longer is cut. */
  SOURCE_NAME_CHARACTERS: 2048,
  /** Kinds of faults of a map that are told. */
  SOURCE_MAP_FAULTS: 20,
  /** Of a line that is shown around a frame; what is longer is cut with the column in view. */
  CONTEXT_LINE_CHARACTERS: 140,
  /** A map that is prepared for looking into; a larger one is not used. */
  PREPARED_MAP_BYTES: 256 * MIB,
  /**
   * Time and most heap (in MiB) for preparing one; some seconds are enough where nothing else is done. The time is that of
   * all tries together; those that look into the code, too, leave a third of it to the one that does not.
   */
  PREPARE_MAP_MS: 3 * 60_000,
  PREPARE_HEAP_MIB: 1024,
  /** Its heap for a map of no size; more with the size, and all of it only for a map that needs it. */
  PREPARE_SMALLEST_HEAP_MIB: 64,
  /** Sources of one bundle, by themselves, for maps that only name them: files, and their bytes together. */
  UPLOADED_SOURCES: 5000,
  UPLOADED_SOURCES_BYTES: 64 * MIB,
  /** How often its process looks whether the server is still there. */
  PREPARE_WATCH_MS: 1000,
  /** A map whose time was over so often, or whose process was ended by others, is given up; others come before it. */
  PREPARE_ATTEMPTS: 3,
  /** Maps that are remembered as such. */
  PREPARE_PUT_BACK: 500,
  /** Maps of one organisation that are prepared in one go. */
  PREPARED_AT_ONCE: 50,
  /** After this time other organisations come first that had less of it. */
  PREPARE_TURN_MS: 5000,
  /** Prepared maps that the digest holds in memory; the one that is asked for is held in any case. */
  PREPARED_HELD_BYTES: 128 * MIB,
  /** The same, for those who read events that came before their maps. */
  PREPARED_HELD_FOR_READERS_BYTES: 32 * MIB,
  /** Mapped frames of stacks that recur, as text. */
  MAPPED_FRAMES_BYTES: 16 * MIB,
  /** Of the sources of one such map, so many are held by lines. */
  SOURCES_HELD: 50,
  /** Of a debug file, by which it is told what it is; and in so many places. */
  DEBUG_FILE_READ_BYTES: 8 * MIB,
  DEBUG_FILE_READS: 256,
  /** Its name; a longer one keeps its end. */
  DEBUG_FILE_NAME_CHARACTERS: 200,
  /** An archive of debug files that comes in one call, and its files. */
  DEBUG_ARCHIVE_BYTES: 32 * MIB,
  DEBUG_ARCHIVE_FILES: 100,
  /** A file of an archive that is not stored after this time was broken off. */
  DEBUG_ARCHIVE_MS: 15 * 60_000,
  /** Programs and libraries of one event of which is said why its frames are addresses. */
  NATIVE_IMAGES_PER_EVENT: 20,
  /** A mapping of ProGuard or R8, its classes, and one of its lines; longer ones are passed over. */
  PROGUARD_MAPPING_BYTES: 128 * MIB,
  PROGUARD_CLASSES: 500_000,
  /** Heap of the process that prepares one. */
  PROGUARD_HEAP_MIB: 128,
  PROGUARD_LINE_BYTES: 8192,
  /** Of what a mapping says of one class. */
  PROGUARD_CLASS_BYTES: 1 * MIB,
  /** Lines of a class of one method's name. */
  PROGUARD_CLASS_LINES: 20_000,
  /** What the digest holds of what it read of one mapping, beside the mapping; and those who read events. */
  PROGUARD_CLASSES_HELD_BYTES: 16 * MIB,
  PROGUARD_CLASSES_HELD_FOR_READERS_BYTES: 4 * MIB,
  /** Mappings that one event may name. */
  PROGUARD_PER_EVENT: 3,
  /** Frames that one obfuscated frame may stand for, and those of a whole stack. */
  PROGUARD_INLINED: 32,
  RETRACED_FRAMES: 500,
  /**
   * What reading the frames of one event by its mappings may take, in steps of some 20 ns: one for each method that is looked
   * at and for so many characters of a class, and more for each place that is looked at for a class, each line that is read of
   * it, and each frame that is made.
   */
  RETRACE_STEPS_PER_EVENT: 4_000_000,
  RETRACE_STEP_CHARACTERS: 8,
  RETRACE_CLASS_STEPS: 3000,
  RETRACE_LINE_STEPS: 100,
  RETRACE_FRAME_STEPS: 50,
  /** Methods that are named where a frame may be any of them. */
  PROGUARD_POSSIBLE_METHODS: 5,
  /** Files of one event that its sites are asked for. */
  SITE_FILES_PER_EVENT: 20,
  SITE_ADDRESS_CHARACTERS: 2048,
  /** Files of one project that sites are still to be asked for, and all that are remembered. */
  SITE_FILES_WAITING: 100,
  SITE_FILES_KNOWN: 5000,
  /** A site is asked for one file and its map once in this time, whatever became of it. */
  SITE_AGAIN_MS: 60 * 60_000,
  /** How often sites are asked, for how many files of a project, of how many projects, and at once. */
  SITE_FETCH_INTERVAL_MS: 10_000,
  SITE_FILES_PER_TURN: 5,
  SITE_PROJECTS_PER_TURN: 100,
  SITE_FILES_AT_ONCE: 4,
  SITE_FETCH_MS: 5000,
  SITE_FILE_BYTES: 32 * MIB,
  SITE_REDIRECTS: 3,
  /** Requests to one host, in so much time. */
  SITE_HOST_REQUESTS: 60,
  SITE_HOST_WINDOW_MS: 10 * 60_000,
  /** Bundles of one project that were fetched; with one more the oldest goes. */
  SITE_BUNDLES: 200,
  /** How often what nobody needs any more is looked for. */
  ARTIFACT_SWEEP_MS: 10 * 60_000,
  ARCHIVE_FILES: 50_000,
  ARCHIVE_FILE_NAME_BYTES: 1024,
  /** Of the list of files at the end of an archive. */
  ARCHIVE_DIRECTORY_BYTES: 64 * MIB,
  /** Of one file, unpacked. */
  ARCHIVE_FILE_BYTES: 512 * MIB,
  /** Of all files, unpacked. */
  ARCHIVE_BYTES: 2048 * MIB,
  /** How many times its packed size a file may be, if it is larger than a mebibyte. */
  ARCHIVE_RATIO: 200,
} as const
