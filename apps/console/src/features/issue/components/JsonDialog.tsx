import { useQuery } from '@tanstack/react-query'

import { api, describeError } from '../../../lib/api.ts'
import { Dialog, ErrorState, ExternalLink, CopyButton, SkeletonRows } from '../../../ui/index.ts'
import { getProjectEventJson } from '@firsthand/contract'
import { useColoured } from '../highlight.ts'
import { plainVisible } from '../../../lib/visible-text.ts'
import { eventJsonQuery } from '../queries.ts'
import styles from './JsonDialog.module.css'

/** Longer documents stay plain: colouring them would hold the page up. */
const MAX_COLOURED = 60_000

export interface JsonDialogProps {
  readonly org: string
  readonly project: string
  readonly event: string
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

/** The event as it is stored. */
export function JsonDialog({ org, project, event, open, onOpenChange }: JsonDialogProps) {
  const { data, error, refetch } = useQuery({ ...eventJsonQuery(org, project, event), enabled: open })
  const text = data === undefined ? '' : plainVisible(JSON.stringify(data, null, 2))
  const failure = error === null ? null : describeError(error)
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="large"
      title="Event as JSON"
      description={<code>{event}</code>}
    >
      {failure === null ? null : (
        <ErrorState compact title="The event could not be loaded" {...failure} onRetry={() => void refetch()} />
      )}
      {data === undefined && failure === null ? <SkeletonRows rows={10} label="Loading the event" /> : null}
      {data === undefined ? null : (
        <>
          <div className={styles.bar}>
            <CopyButton text={text} label="JSON" withText />
            <ExternalLink
              look="quiet"
              href={new URL(api.url(getProjectEventJson, { params: { org, project, event } }), location.href).href}
            >
              Open as a file
            </ExternalLink>
          </div>
          <Json text={text} />
        </>
      )}
    </Dialog>
  )
}

function Json({ text }: { readonly text: string }) {
  const lines = useColoured(text, text.length > MAX_COLOURED ? null : 'json')
  return (
    <pre className={styles.json} tabIndex={0}>
      <code>
        {lines?.map((line, index) => (
          <span key={index}>
            {line.map((part, place) => (
              <span key={place} className={styles[part.kind]}>
                {part.text}
              </span>
            ))}
            {'\n'}
          </span>
        )) ?? text}
      </code>
    </pre>
  )
}
