import type { NoAnswer } from '../../lib/outgoing.ts'
import { REACHABLE_SETTING } from '../../lib/outgoing.ts'
import { LIMITS } from '../limits.ts'

/** Why a site gave no source map. */
export type SiteFailure = NoAnswer | `http_${number}` | 'no_reference' | 'no_map' | 'another_build' | 'no_room'

const SENTENCES: Readonly<Record<Exclude<SiteFailure, `http_${number}`>, string>> = {
  no_web_address: 'what it names as its source map is no address of the web',
  unknown_host: 'the name of the host has no address',
  private_address: `its address lies inside of a network, which Firsthand does not call on behalf of others; the operator may add it to ${REACHABLE_SETTING}`,
  not_allowed: 'it leads to a host that the settings of the project do not name',
  too_many_redirects: 'it leads on and on',
  too_large: `the file or its source map is larger than ${LIMITS.SITE_FILE_BYTES} bytes`,
  too_slow: 'it did not answer in time',
  insecure: 'its certificate cannot be trusted',
  failed: 'the connection failed',
  no_reference: 'the file names no source map (sourceMappingURL)',
  no_map: 'what it names as its source map is none: it may be a page of an error or of a log-in',
  another_build: 'it serves another build by now',
  no_room: 'the artifacts of this organisation take all the space that they may',
}

/** Beside the reason why a frame has no source. @param failure as it was kept; null while the site is being asked */
export const saidOfSite = (failure: string | null): string => {
  if (failure === null) return 'Its site is being asked for it.'
  const status = /^http_(\d+)$/.exec(failure)?.[1]
  const known = new Map<string, string>(Object.entries(SENTENCES)).get(failure) ?? 'the connection failed'
  return `Its site was asked and gave no source map: ${status === undefined ? known : `it answered ${status}`}.`
}
