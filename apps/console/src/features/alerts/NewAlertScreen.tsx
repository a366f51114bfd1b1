import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'

import { usePageTitle } from '../../lib/page-title.ts'
import { AlertEditor } from './editor/AlertEditor.tsx'
import { beginningOf } from './model/beginning.ts'
import { readNewAlertUrl } from './model/alerts-search.ts'

const FROM = '/signed-in/organizations/$org/alerts/new'

/** A new alert: from a template, or from what somebody was looking at. */
export function NewAlertScreen() {
  const { org } = useParams({ from: FROM })
  const url = JSON.stringify(useSearch({ from: FROM }))
  const beginning = useMemo(() => beginningOf(readNewAlertUrl(JSON.parse(url) as Record<string, unknown>)), [url])
  const navigate = useNavigate()
  usePageTitle('New alert')
  return (
    <AlertEditor
      key={`${org} ${url}`}
      org={org}
      rule={null}
      beginning={beginning}
      onSaved={({ id }) =>
        void navigate({ to: '/organizations/$org/alerts/$alert', params: { org, alert: id }, replace: true })
      }
    />
  )
}
