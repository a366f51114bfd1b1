import { allowing } from '../../lib/allowed-hosts.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Ledger } from '../../storage/ledger/ledger.ts'
import { createSiteFiles, siteKey, type AskedFile } from '../ledger/site-files.ts'
import { projectsWithSites, readSiteSettings } from '../ledger/site-settings.ts'
import { LIMITS } from '../limits.ts'
import type { MapOfFile, Place } from '../resolve/find-maps.ts'
import type { WantedFile } from '../resolve/wanted.ts'
import { saidOfSite } from './site-failure.ts'

type FoundFiles = ReadonlyMap<string, MapOfFile>

/** What sites may have to say of files that nobody uploaded. */
export interface SiteOfFiles {
  /** Of these projects, those whose sites may be asked. */
  readonly projects: (projectIds: readonly number[]) => Promise<readonly number[]>
  /** What was found, with what is known of the sites of the rest. */
  readonly beside: (place: Place, wanted: readonly WantedFile[], files: FoundFiles) => Promise<FoundFiles>
}

/** @param clock of whoever has sites asked; null for those who only read what is known */
export const createSiteOfFiles = ({
  clock,
  ledger,
}: {
  readonly ledger: Pick<Ledger, 'db'>
  readonly clock: Clock | null
}): SiteOfFiles => {
  const siteFiles = createSiteFiles({ ledger })
  return {
    projects: (projectIds) => projectsWithSites(ledger.db, projectIds),

    beside: async (place, wanted, files) => {
      const open = wanted.filter(({ address }) => isOpen(place, files.get(address)))
      if (open.length === 0) return files
      const { hosts, isOn } = await readSiteSettings(ledger.db, place.projectId)
      if (!isOn) return files
      const allows = allowing(hosts)
      const asked = open.flatMap(({ address, debugId }): (AskedFile & { readonly of: string })[] => {
        const site = siteAddress(address, allows)
        return site === null ? [] : [{ ...place, address: site, debugId, of: address }]
      })
      asked.splice(LIMITS.SITE_FILES_PER_EVENT)
      if (asked.length === 0) return files
      const rows = await siteFiles.known(place.projectId, asked.map(siteKey))
      const known = new Map(rows.map((row) => [row.file_key, row]))
      const fresh = asked.filter((file) => !known.has(siteKey(file)))
      if (clock !== null) await siteFiles.ask(place.projectId, fresh, clock.now())
      const said = new Map(files)
      for (const file of asked) {
        const found = files.get(file.of)
        const row = known.get(siteKey(file))
        if (found?.kind !== 'none' || row?.state === 'kept' || (row === undefined && clock === null)) continue
        said.set(file.of, { ...found, reason: `${found.reason} ${saidOfSite(row?.failure ?? null)}` })
      }
      return said
    },
  }
}

/** Nothing was uploaded for it; or it is what a site gave for no release, where the next build has the same address. */
const isOpen = ({ release }: Place, found: MapOfFile | undefined): boolean =>
  found === undefined ||
  (found.kind === 'none' ? found.type === 'js_no_source' : release === '' && found.found === 'release')

/** Where a file of a stack is on the web, where that may be asked. */
const siteAddress = (address: string, allows: (url: URL) => boolean): string | null => {
  const bare = address.replace(/^(?:async |eval at )+/, '')
  if (bare.length > LIMITS.SITE_ADDRESS_CHARACTERS || !URL.canParse(bare)) return null
  const url = new URL(bare)
  url.hash = ''
  const isOfWeb = url.protocol === 'http:' || url.protocol === 'https:'
  return isOfWeb && url.username === '' && url.password === '' && allows(url) ? url.href : null
}
