import { listReplays } from '@firsthand/contract'

import { api } from '../../lib/api.ts'
import { formatMoment } from '../../lib/moments.ts'
import { plainVisible } from '../../lib/visible-text.ts'
import type { Find } from '../../shell/feature.ts'
import { type Command, ReplayIcon } from '../../ui/index.ts'

/** As many characters as the head of a replay shows of its id. */
const ID = /^[0-9a-f]{8,32}$/
const FOUND_MAX = 5
const PERIOD = '90d'

/** Replays by their id, or its beginning; also with dashes, as a UUID has them. */
export const find: Find = async (text, { org, navigate, signal }) => {
  const id = text.replaceAll('-', '').toLowerCase()
  if (!ID.test(id)) return []
  const asked = { query: id, statsPeriod: PERIOD, field: ['id', 'user', 'started_at'], per_page: FOUND_MAX }
  const { data } = await api.call(listReplays, { params: { org }, query: asked, signal })
  return data.flatMap(({ id: replay = '', started_at: at, user }): Command[] =>
    replay.startsWith(id)
      ? [
          {
            id: `replay-${replay}`,
            label: `Open the replay of ${plainVisible(user?.display_name ?? 'somebody')}`,
            ...(at != null && {
              hint: `${formatMoment('weekday', Date.parse(at))}, ${formatMoment('clock', Date.parse(at))}`,
            }),
            keywords: [text],
            group: 'Replays',
            icon: ReplayIcon,
            run: () => void navigate({ to: '/organizations/$org/replays/$replay', params: { org, replay } }),
          },
        ]
      : [],
  )
}
