import type { Release } from '@firsthand/contract'

/** So long after its first event or call the files of a release may still be on their way. */
const STILL_COMING_MS = 10 * 60_000

/** Platforms whose stacks need source maps to be read. */
export const hasSourceMaps = (platform: string): boolean =>
  /^(?:javascript|node|react-native|electron|capacitor|cordova|bun|deno)/.test(platform)

/** The same, or nobody has said what the project is written in. */
export const mayHaveSourceMaps = (platform: string): boolean =>
  platform === '' || platform === 'other' || hasSourceMaps(platform)

/** Whether it runs, as its events say, and nothing makes its code readable. */
export const lacksFiles = (
  { dateCreated, lastEvent }: Pick<Release, 'dateCreated' | 'lastEvent'>,
  platform: string,
  now: number,
): boolean => hasSourceMaps(platform) && lastEvent !== null && now - Date.parse(dateCreated) >= STILL_COMING_MS

/** What a file of a bundle is, for people. */
export const FILE_TYPES: Readonly<Record<string, string>> = {
  minified_source: 'Minified code',
  source_map: 'Source map',
  source: 'Source',
  indexed_ram_bundle: 'RAM bundle',
}

/** What a debug file is, for people. */
export const DEBUG_FILE_KINDS: Readonly<Record<string, string>> = {
  elf: 'ELF',
  macho: 'Mach-O',
  pe: 'PE',
  pdb: 'PDB',
  portablepdb: 'Portable PDB',
  breakpad: 'Breakpad',
  proguard: 'ProGuard mapping',
  sourcebundle: 'Sources',
}

/** Whether a source map is looked into by now; null of other files, and of one that cannot be used, which says why itself. */
export const fileState = ({
  detail,
  isReady,
}: {
  readonly isReady: boolean | null
  readonly detail: string | null
}): string | null => (isReady === null || detail !== null ? null : isReady ? 'in use' : 'being read')
