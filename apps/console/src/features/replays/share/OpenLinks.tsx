import type { ReplayLink, ReplayPlayback } from '@firsthand/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'

import { describeError } from '../../../lib/api.ts'
import { formatExact } from '../../../lib/format.ts'
import { formatMoment } from '../../../lib/moments.ts'
import { AlertDialog, Button, Loaded, RelativeTime, SkeletonRows, toast, VisibleText } from '../../../ui/index.ts'
import type { NamedReplay } from '../keeping/queries.ts'
import { linksQuery, revokeLink } from './queries.ts'
import { stretchWords } from './stretch.ts'
import styles from './ShareDialog.module.css'

/** Links that open a replay now. */
export function OpenLinks({
  replay,
  playback,
  mayRevoke,
  onRevoked,
}: {
  readonly replay: NamedReplay
  readonly playback: ReplayPlayback
  readonly mayRevoke: boolean
  readonly onRevoked: (id: string) => void
}) {
  const links = useQuery(linksQuery(replay))
  const client = useQueryClient()
  const heading = useRef<HTMLHeadingElement>(null)
  const [asked, setAsked] = useState<ReplayLink | null>(null)
  const [busy, setBusy] = useState(false)
  const revoke = async (): Promise<void> => {
    if (asked === null) return
    setBusy(true)
    try {
      await revokeLink(replay, asked.id)
      onRevoked(asked.id)
      toast({ title: 'Link revoked' })
    } catch (error) {
      toast({ title: 'The link could not be revoked', description: describeError(error).detail, tone: 'error' })
    } finally {
      setAsked(null)
      setBusy(false)
      void client.invalidateQueries({ queryKey: linksQuery(replay).queryKey })
    }
  }
  return (
    <section>
      <h3 ref={heading} tabIndex={-1} className={styles.heading}>
        Open links
      </h3>
      <Loaded
        query={links}
        outline={<SkeletonRows rows={1} label="Loading the links" />}
        failed="The links could not be loaded"
        compact
      >
        {(data) =>
          data.length === 0 ? (
            <p className={styles.quiet}>None: nobody without an account sees this replay.</p>
          ) : (
            <ul className={styles.links}>
              {data.map((link) => (
                <li key={link.id}>
                  <LinkWords link={link} playback={playback} />
                  {mayRevoke ? (
                    <Button size="small" onClick={() => setAsked(link)}>
                      Revoke
                    </Button>
                  ) : null}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <AlertDialog
        open={asked !== null}
        onOpenChange={() => setAsked(null)}
        title="Revoke this link?"
        description="Whoever opens it sees nothing any more. This cannot be undone; another link can be made."
        confirmLabel="Revoke"
        busy={busy}
        finalFocus={() => heading.current}
        onConfirm={() => void revoke()}
      />
    </section>
  )
}

function LinkWords({ link, playback }: { readonly link: ReplayLink; readonly playback: ReplayPlayback }) {
  const { createdBy, expiresAt, lastViewedAt, views } = link
  const end = Date.parse(expiresAt)
  return (
    <div className={styles.words}>
      <p>
        {stretchWords(link, playback)}, until{' '}
        <time dateTime={expiresAt} title={formatExact(end)}>
          {formatMoment('hour', end)}
        </time>
      </p>
      <p className={styles.quiet}>
        By <VisibleText text={createdBy.name === '' ? createdBy.email : createdBy.name} />
        {' · '}
        {views === 0 ? 'not opened yet' : views === 1 ? 'opened once' : `opened ${views} times`}
        {lastViewedAt === null ? null : (
          <>
            , last <RelativeTime time={lastViewedAt} />
          </>
        )}
      </p>
    </div>
  )
}
