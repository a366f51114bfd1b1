import { createHmac } from 'node:crypto'
import { DAY_MS } from '../lib/durations.ts'
import { stackOf } from '../lib/error-text.ts'
import type { Logger } from '../lib/logger.ts'
import type { Incidents } from './ledger/incidents.ts'
import type { PageRow, Pages } from './ledger/pages.ts'
import { LIMITS } from './limits.ts'
import { hashOf, type PageFiles } from './page-files.ts'
import { renderAtom, renderHistory, renderHtml, renderJson } from './render.ts'
import type { Component, ComponentState } from './status.ts'
import { pickShown, stateWithWork, withinPage, type PageView } from './view.ts'

/**
 * Writes pages as they are now. All of them are written one after the other, each as its row says when its turn comes:
 * nobody writes over a file what was true before.
 */
export const createPublish = ({
  files,
  incidents,
  key,
  logger,
  now,
  pages,
  publicUrl,
}: {
  readonly pages: Pick<Pages, 'all' | 'of' | 'standing'>
  readonly incidents: Pick<Incidents, 'heads' | 'lastWords' | 'withUpdates'>
  readonly files: Pick<PageFiles, 'write' | 'keepOnly'>
  /** For the tokens of private links. */
  readonly key: Uint8Array
  readonly logger: Logger
  readonly now: () => number
  readonly publicUrl: string
}) => {
  const viewOf = async (row: PageRow): Promise<PageView> => {
    const at = now()
    const firstDay = Math.floor(at / DAY_MS) - LIMITS.STATUS_BARS_DAYS + 1
    const heads = await incidents.heads(row.organization_id, true)
    const shown = await incidents.withUpdates(pickShown(heads, at), LIMITS.STATUS_SHOWN_UPDATES)
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
        state: stateWithWork(component.name, own, heads, at),
        days: standing?.days ?? [],
      })
    }
    return {
      title: row.title,
      path: pathOf(row),
      publicUrl,
      isPublic: row.is_public === 1,
      components,
      heads,
      incidents: withinPage(shown),
      lastWords: await incidents.lastWords(row.organization_id),
      at,
    }
  }

  const tokenOf = (row: Pick<PageRow, 'organization_id' | 'link_version'>): string =>
    createHmac('sha256', key).update(`${row.organization_id} ${row.link_version}`).digest('base64url').slice(0, 32)

  const inTurn = createTurns()

  const write = async (organizationId: number): Promise<void> => {
    const row = await pages.of(organizationId)
    if (row === null || row.is_on === 0) return
    const view = await viewOf(row)
    const meta = { isPublic: view.isPublic, tokenHash: hashOf(tokenOf(row)) }
    await files.write(row.slug, meta, {
      html: renderHtml(view),
      history: renderHistory(view),
      atom: renderAtom(view),
      json: renderJson(view),
    })
  }

  /** Pages that are off, and addresses that a page had before, are not served any more. */
  const forgetOthers = async (): Promise<void> => {
    const shown = (await pages.all()).filter((row) => row.is_on === 1)
    await files.keepOnly(new Set(shown.map(({ slug }) => slug)))
  }

  return {
    /** Address of the page; a private one with its token. */
    linkOf: (row: PageRow): string =>
      `${publicUrl}${pathOf(row)}${row.is_public === 1 ? '' : `?token=${tokenOf(row)}`}`,
    /** After a change of the page itself, whose address may be another one. */
    changed: (organizationId: number): Promise<void> =>
      inTurn(async () => {
        await forgetOthers()
        await write(organizationId)
      }),
    one: (organizationId: number): Promise<void> => inTurn(() => write(organizationId)),
    all: async (): Promise<void> => {
      await inTurn(forgetOthers)
      for (const { organization_id: organizationId } of await pages.all()) {
        // One that cannot be written keeps no other one from being so.
        await inTurn(() => write(organizationId)).catch((error: unknown) =>
          logger.warn('a status page could not be written', { organization: organizationId, error: stackOf(error) }),
        )
      }
    },
  }
}

/** One after the other, whatever becomes of each. */
const createTurns = () => {
  let last: Promise<unknown> = Promise.resolve()
  return (work: () => Promise<void>): Promise<void> => {
    const done = last.then(work)
    // Whoever asked for it is told of its failure; the next turn does not depend on it.
    last = done.catch(() => undefined)
    return done
  }
}

const pathOf = ({ slug }: Pick<PageRow, 'slug'>): string => `/status/${slug}`

export type Publish = ReturnType<typeof createPublish>
