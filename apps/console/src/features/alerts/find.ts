import { listAlerts } from '@firsthand/contract'

import { api } from '../../lib/api.ts'
import { plainVisible } from '../../lib/visible-text.ts'
import type { Find } from '../../shell/feature.ts'
import { BellIcon, type Command } from '../../ui/index.ts'

const MOST = 5

/** Alerts whose name or search has the words. */
export const find: Find = async (text, { org, navigate, signal }) => {
  const rules = await api.call(listAlerts, { params: { org }, query: { query: text, limit: MOST }, signal })
  return rules.map(({ id, name }): Command => ({
    id: `alert-${id}`,
    label: plainVisible(name),
    group: 'Alerts',
    icon: BellIcon,
    run: () => void navigate({ to: '/organizations/$org/alerts/$alert', params: { org, alert: id } }),
  }))
}
