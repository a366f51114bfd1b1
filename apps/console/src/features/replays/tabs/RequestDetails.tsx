import type { ReplayRequest } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'

import { formatBytes } from '../../../lib/format.ts'
import { CopyButton, Loaded, SkeletonRows, VisibleText } from '../../../ui/index.ts'
import { type RequestRow, type SideWords, sideWords } from '../model/requests.ts'
import { requestQuery } from '../queries.ts'
import styles from './RequestDetails.module.css'

/** Headers and bodies of one request, and why they are not there where they are not. */
export function RequestDetails({ replay, request }: { readonly replay: string; readonly request: RequestRow }) {
  const { org } = useParams({ from: '/signed-in/organizations/$org/replays/$replay' })
  const query = useQuery(requestQuery(org, replay, request.key))
  const facts = [request.kind, request.bytes === null ? '' : `${formatBytes(request.bytes)} in the answer`]
  return (
    <div className={styles.details}>
      <p className={styles.url}>
        <code>
          <VisibleText text={request.url} />
        </code>
        <CopyButton text={request.url} label="address" />
      </p>
      <p className={styles.facts}>{facts.filter((word) => word !== '').join(' · ')}</p>
      <Loaded
        query={query}
        outline={<SkeletonRows rows={3} label="Reading the recording" />}
        failed="The request could not be read"
        compact
      >
        {({ request: found }) =>
          found === null ? (
            <p className={styles.note}>
              What was recorded of it cannot be read any more: the part of the recording that it stood in is damaged, or
              is not kept.
            </p>
          ) : (
            <Both request={found} />
          )
        }
      </Loaded>
    </div>
  )
}

function Both({ request }: { readonly request: ReplayRequest }) {
  const sent = sideWords(request, 'request')
  const answered = sideWords(request, 'response')
  const isSame = sent.notes[0] === answered.notes[0] && sent.headers.length === 0 && sent.body === null
  return isSame && answered.body === null && answered.headers.length === 0 ? (
    <p className={styles.note}>{sent.notes[0]}</p>
  ) : (
    <>
      <Side title="Sent" words={sent} />
      <Side title="Answered" words={answered} />
    </>
  )
}

function Side({ title, words: { body, headers, notes } }: { readonly title: string; readonly words: SideWords }) {
  return (
    <section className={styles.side} aria-label={title}>
      <h2 className={styles.title}>{title}</h2>
      {headers.length === 0 ? null : (
        <dl className={styles.headers}>
          {headers.map(({ name, value }) => (
            <div key={name}>
              <dt>
                <VisibleText text={name} />
              </dt>
              <dd>
                <VisibleText text={value} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {body === null ? null : (
        <div className={styles.body}>
          <pre tabIndex={0} aria-label={`${title}: body`}>
            <VisibleText text={body} />
          </pre>
          <span className={styles.copy}>
            <CopyButton text={body} label="body" />
          </span>
        </div>
      )}
      {notes.map((note) => (
        <p key={note} className={styles.note}>
          <VisibleText text={note} />
        </p>
      ))}
    </section>
  )
}
