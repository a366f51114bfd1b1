import { createHmac } from 'node:crypto'
import { DAY_MS } from '../lib/durations.ts'
import type { Incidents } from './ledger/incidents.ts'
import type { PageRow, Pages } from './ledger/pages.ts'
import { LIMITS } from './limits.ts'
import { hashOf, type PageFiles } from './page-files.ts'
import { renderAtom, renderHtml, renderJson } from './render.ts'
import { phaseOf, type Component, type ComponentState } from './status.ts'
import { stateWithWork, type PageView } from './view.ts'

/** Writes pages as they are now. */
export const createPublish = ({
  files,
  incidents,
  key,
  now,
  pages,
  publicUrl,
}: {
  readonly pages: Pick<Pages, 'all' | 'of' | 'standing'>
  readonly incidents: Pick<Incidents, 'list'>
  readonly files: Pick<PageFiles, 'write' | 'remove'>
  /** For the tokens of private links. */
  readonly key: Uint8Array
  readonly now: () => number
  readonly publicUrl: string
}) => {
  const viewOf = async (row: PageRow): Promise<PageView> => {
    const at = now()
    const firstDay = Math.floor(at / DAY_MS) - LIMITS.STATUS_BARS_DAYS + 1
    const all = await incidents.list(row.organization_id, true)
    const shown = all.filter(
      (incident) =>
        phaseOf(incident, at) !== 'over' ||
        (incident.endsAt ?? incident.updates[0]?.at ?? 0) > at - LIMITS.STATUS_HISTORY_DAYS * DAY_MS,
    )
    const components: PageView['components'][number][] = []
    for (const component of JSON.parse(row.components) as Component[]) {
      const standing = await pages.standing(row.organization_id, component, firstDay)
      const own: ComponentState =
        standing === null || !standing.isKnown
          ? 'unknown'
          : !standing.isBad
            ? 'operational'
            : component.source === 'uptime'
              ? 'major'
              : 'degraded'
      components.push({
        name: component.name,
        state: stateWithWork(component.name, own, shown, at),
        days: standing?.days ?? [],
      })
    }
    return {
      title: row.title,
      path: pathOf(row),
      publicUrl,
      isPublic: row.is_public === 1,
      components,
      incidents: shown,
      at,
    }
  }

  const tokenOf = (row: Pick<PageRow, 'organization_id' | 'link_version'>): string =>
    createHmac('sha256', key).update(`${row.organization_id} ${row.link_version}`).digest('base64url').slice(0, 32)

  const publish = async (row: PageRow): Promise<void> => {
    if (row.is_on === 0) {
      await files.remove(row.slug)
      return
    }
    const view = await viewOf(row)
    const meta = { isPublic: view.isPublic, tokenHash: hashOf(tokenOf(row)) }
    await files.write(row.slug, meta, { html: renderHtml(view), atom: renderAtom(view), json: renderJson(view) })
  }

  return {
    /** Address of the page; a private one with its token. */
    linkOf: (row: PageRow): string =>
      `${publicUrl}${pathOf(row)}${row.is_public === 1 ? '' : `?token=${tokenOf(row)}`}`,
    one: publish,
    all: async (): Promise<void> => {
      for (const row of await pages.all()) await publish(row)
    },
  }
}

const pathOf = ({ slug }: Pick<PageRow, 'slug'>): string => `/status/${slug}`

export type Publish = ReturnType<typeof createPublish>
