/** For a blob that something holds: it goes when that lets it go, and not by its age. */
export const UNTIL_RELEASED = Number.MAX_SAFE_INTEGER

/** For a blob that something is about to hold: whoever dies meanwhile leaves nothing that stays. */
export const HELD_SOON_MS = 24 * 60 * 60_000

export const chunkHolder = (organizationId: number, checksum: string): string =>
  `artifact-chunk/${organizationId}/${checksum}`

/** Of what a map was made into; that of its own bytes is the bundle's. */
export const mapHolder = (fileId: number): string => `artifact-map/${fileId}`

export const bundleHolder = (bundleId: number): string => `artifact-bundle/${bundleId}`

/** Of a debug file and of what it is looked up by. */
export const debugFileHolder = (fileId: number): string => `debug-file/${fileId}`
