import { getReplayTest, type ReplayPlayback, type ReplayTest } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'

import { api } from '../../../lib/api.ts'
import { cx } from '../../../lib/cx.ts'
import { formatCount } from '../../../lib/format.ts'
import { organizationKeys } from '../../../lib/query-keys.ts'
import { plainVisible } from '../../../lib/visible-text.ts'
import {
  Badge,
  CopyButton,
  Dialog,
  ExternalLink,
  Loaded,
  Notice,
  Select,
  SkeletonRows,
  VisibleText,
} from '../../../ui/index.ts'
import { playTime } from '../model/time.ts'
import styles from './TestDialog.module.css'

export interface TestDialogProps {
  readonly playback: ReplayPlayback
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

const BROKEN: ReadonlySet<string | undefined> = new Set(['error', 'fatal'])
const TITLE_CHARACTERS = 60

/** What was done until an error came, as a test to be read, copied and run. */
export function TestDialog({ playback, open, onOpenChange }: TestDialogProps) {
  const { org, replay } = useParams({ from: '/signed-in/organizations/$org/replays/$replay' })
  const { startedAt } = playback
  const errors = playback.marks.filter(({ detail, kind }) => kind === 'error' && BROKEN.has(detail['level']))
  const [chosen, setChosen] = useState(errors[0]?.detail['eventId'] ?? '')
  const query = chosen === '' ? {} : { event: chosen }
  // Who names none means the first.
  const named = chosen === errors[0]?.detail['eventId'] ? '' : chosen
  const test = useQuery({
    queryKey: [...organizationKeys.all(org), 'replay', replay, 'test', chosen],
    queryFn: ({ signal }) => api.call(getReplayTest, { params: { org, replay }, query, signal }),
    enabled: open,
  })
  const asFile = { ...query, download: '1' }
  const file = api.url(getReplayTest, { params: { org, replay }, query: asFile })
  const flow = api.url(getReplayTest, { params: { org, replay }, query: { ...asFile, format: 'chrome-recorder' } })
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="large"
      title={
        <span className={styles.title}>
          A test from this replay <Badge>Playwright</Badge>
        </span>
      }
      description={test.data === undefined ? undefined : rangeOf(test.data, startedAt)}
      footer={
        test.data === undefined ? undefined : (
          <>
            <ExternalLink look="quiet" className={styles.file} href={addressOf(flow)}>
              For Chrome’s Recorder
            </ExternalLink>
            <ExternalLink look="quiet" className={styles.file} href={addressOf(file)}>
              Open as a file
            </ExternalLink>
            <CopyButton text={test.data.source} label="test" withText size="normal" variant="primary" />
          </>
        )
      }
    >
      {errors.length < 2 ? null : (
        <div className={styles.choice}>
          <Select
            aria-label="Error that the test ends with"
            value={chosen}
            onValueChange={setChosen}
            options={errors.map(({ at, detail, text }) => ({
              value: detail['eventId'] ?? '',
              label: `${playTime(at - startedAt)} ${plainVisible(text).slice(0, TITLE_CHARACTERS)}`,
            }))}
          />
        </div>
      )}
      <Loaded
        query={test}
        outline={<SkeletonRows rows={8} label="Making the test" />}
        failed="No test could be made"
        compact
      >
        {(data) => <Shown test={data} org={org} replay={replay} event={named} startedAt={startedAt} />}
      </Loaded>
    </Dialog>
  )
}

const addressOf = (path: string): string => new URL(path, location.href).href

function rangeOf({ steps }: ReplayTest, startedAt: number): string {
  const moment = (at: number | undefined): string => playTime((at ?? startedAt) - startedAt)
  return `From ${moment(steps[0]?.at)} to ${moment(steps.at(-1)?.at)}`
}

function Shown({
  test,
  org,
  replay,
  event,
  startedAt,
}: {
  readonly test: ReplayTest
  readonly org: string
  readonly replay: string
  /** Id of the error that it ends with; '' for the first. */
  readonly event: string
  readonly startedAt: number
}) {
  const address = addressOf(`/organizations/${org}/replays/${replay}`)
  const command = `npx firsthand repro ${address} --url ${location.origin} --base-url http://localhost:3000${event === '' ? '' : ` --event ${event}`}`
  const error = test.error === null ? null : `fail with ${test.error.title}`
  return (
    <>
      <pre className={styles.code} tabIndex={0} aria-label="The test">
        <code>
          {test.lines.map(({ at, kind, text }, index) => (
            <span key={index} className={cx(styles.line, styles[kind])}>
              <span className={styles.at}>{at === null ? '' : playTime(at - startedAt)}</span>
              <VisibleText text={text} />
              {'\n'}
            </span>
          ))}
        </code>
      </pre>
      {error === null ? (
        <Notice>
          Nothing was reported in this replay, so the test expects nothing: say yourself what should be seen.
        </Notice>
      ) : (
        <p className={styles.said}>
          Not run here: it should <VisibleText text={error} /> as long as that is not mended. Requests are answered as
          they were recorded, without cookies and tokens.
        </p>
      )}
      {test.missing.length === 0 ? null : (
        <>
          <h3 className={styles.heading}>Not as it was recorded</h3>
          <ul className={styles.missing}>
            {test.missing.map(({ at, text }, index) => (
              <li key={index}>
                <span className={styles.at}>{at === null ? '' : playTime(at - startedAt)}</span>
                <span>
                  <VisibleText text={text} />
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      {test.answers.length === 0 ? null : (
        <details className={styles.answers}>
          <summary className={styles.heading}>Requests that it answers · {formatCount(test.answers.length)}</summary>
          <ul className={styles.missing}>
            {test.answers.map(({ request, times, withoutBody }) => (
              <li key={request}>
                <span className={styles.at}>{formatCount(times)} ×</span>
                <span>
                  <code>
                    <VisibleText text={request} />
                  </code>
                  {withoutBody === 0 ? '' : ' · its answer was not recorded'}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {error === null ? null : (
        <>
          <h3 className={styles.heading}>See whether it comes again</h3>
          <div className={styles.command}>
            <code>{command}</code>
            <CopyButton text={command} label="command" />
          </div>
          <p className={styles.said}>
            The base is the site that it runs against. Put a token that may read events into{' '}
            <code>SENTRY_AUTH_TOKEN</code>.
          </p>
        </>
      )}
    </>
  )
}
