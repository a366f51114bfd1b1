/** What `frames.kind` of a profile says of a function. Without a schema beside it: threads that know no call need it, too. */
export const FRAME_KINDS = { own: 0, library: 1, runtime: 2 } as const
