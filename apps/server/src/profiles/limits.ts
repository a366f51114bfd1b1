/** Limits of profiles: what of one is read, and how much one answer holds. */
export const LIMITS = {
  PROFILE_BYTES: 50 * 1024 * 1024,
  /** Samples of one profile or chunk; the rest is left out, and it says so. */
  PROFILE_SAMPLES: 500_000,
  PROFILE_FRAMES: 100_000,
  /** Of one stack, from its root on. */
  PROFILE_STACK_FRAMES: 1000,
  /** Different places in the call tree of one profile. */
  PROFILE_STACKS: 250_000,
  /** Frames of all stacks that are read, one by one. */
  PROFILE_STACK_STEPS: 5_000_000,
  PROFILE_THREADS: 1000,
  PROFILE_NAME_CHARS: 512,
  PROFILE_FILE_CHARS: 1024,
  PROFILE_WORD_CHARS: 128,
  /** Names and files of all frames together, each text once. */
  PROFILE_TEXT_CHARS: 4 * 1024 * 1024,
  PROFILE_NOTES: 20,
  /** Libraries of a native program, by which its addresses are told. */
  PROFILE_IMAGES: 5000,
  /** A sample that lies further from the middle one is none. */
  PROFILE_SPREAD_SECONDS: 60 * 60,
  /** Profiles, or chunks of one, that one flame graph sums up: the latest. */
  PROFILES_MERGED: 100,
  /** Bytes of stored profiles that one answer reads. */
  PROFILE_MERGED_BYTES: 64 * 1024 * 1024,
  /** Samples of one flame graph. */
  PROFILE_SAMPLES_SHOWN: 200_000,
  /** Frames of the stacks of an answer in Sentry's shape, in which each stack has all of its callers. */
  PROFILE_FRAMES_SPELLED: 2_000_000,
  /** Transactions of which the parts of continuous profiles are looked for. */
  PROFILED_SEGMENTS: 500,
  /** Profilers that one trace names, each with a thread. */
  PROFILERS_OF_TRACE: 50,
  /** Profiles beside the waterfall of a trace: the first of them. */
  PROFILE_LANES: 8,
  /** Steps of time in which one of them is summed up, */
  PROFILE_LANE_STEPS: 600,
  /** and functions of each step that are told, those that ran longest. */
  PROFILE_STEP_FUNCTIONS: 4,
} as const
