import { createReplayLink, deleteReplayLink, getReplayFile, listReplayLinks } from '@firsthand/contract'
import { queryOptions } from '@tanstack/react-query'

import { api } from '../../../lib/api.ts'
import { organizationKeys } from '../../../lib/query-keys.ts'
import type { NamedReplay } from '../keeping/queries.ts'
import type { SharedStretch } from './stretch.ts'

export const linksQuery = ({ org, project, replay }: NamedReplay) =>
  queryOptions({
    queryKey: [...organizationKeys.project(org, project), 'replay-links', replay],
    queryFn: async ({ signal }) => (await api.call(listReplayLinks, { params: { org, project, replay }, signal })).data,
    // How often each was opened changes without the console.
    staleTime: 0,
  })

export const makeLink = (params: NamedReplay, days: number, stretch: SharedStretch) =>
  api.call(createReplayLink, { params: { ...params }, body: { days, ...stretch } })

export const revokeLink = (params: NamedReplay, link: string) =>
  api.call(deleteReplayLink, { params: { ...params, link } })

/**
 * Lets the browser save a replay, once the server has said that there will be a file.
 *
 * @throws Error in words, where there will be none
 */
export async function saveFile(params: NamedReplay, { from, to }: SharedStretch): Promise<void> {
  const query = { from: from ?? undefined, to: to ?? undefined }
  const address = api.url(getReplayFile, { params: { ...params }, query })
  const asked = new AbortController()
  const answer = await fetch(address, { signal: asked.signal })
  if (!answer.ok) {
    const said = (await answer.json().catch(() => ({}))) as { readonly detail?: string }
    throw new Error(said.detail ?? `The server answered ${answer.status} without an explanation.`)
  }
  asked.abort()
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  link.click()
}
