import type { SuspectCommit } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'

import { shortHash, subjectOf } from '../../../lib/commit-words.ts'
import { Avatar, ExternalLink, VisibleText } from '../../../ui/index.ts'
import { suspectsQuery } from '../../releases/links/index.ts'
import { Part } from './SideColumn.tsx'
import styles from './SuspectCommits.module.css'

interface SuspectCommitsProps {
  readonly org: string
  /** Slug. */
  readonly project: string
  /** Null while it is not known which one is shown. */
  readonly event: string | null
}

/** Whose commit may be behind it, and by what; nothing where that would be a guess. */
export function SuspectCommits({ org, project, event }: SuspectCommitsProps) {
  const { data: suspects = [] } = useQuery(suspectsQuery(org, project, event))
  if (suspects.length === 0) return null
  return (
    <Part title={suspects.length === 1 ? 'Suspect commit' : 'Suspect commits'}>
      <ul className={styles.list}>
        {suspects.map((suspect) => (
          <li key={suspect.id} className={styles.suspect}>
            <Avatar name={suspect.author?.name ?? null} />
            <Suspect suspect={suspect} />
          </li>
        ))}
      </ul>
    </Part>
  )
}

function Suspect({ suspect }: { readonly suspect: SuspectCommit }) {
  const { author, file, fileLink, id, line, link, message } = suspect
  const place = line === null ? file : `${file}:${line}`
  return (
    <div className={styles.text}>
      <p>
        <VisibleText text={subjectOf(message) || 'A commit without a message'} />{' '}
        <Linked href={link} text={shortHash(id)} />
      </p>
      <p className={styles.why}>
        {author === null ? null : (
          <>
            <VisibleText text={author.name} />{' '}
          </>
        )}
        changed <Linked href={fileLink} text={place} /> in the release in which this began.
      </p>
    </div>
  )
}

function Linked({ href, text }: { readonly href: string | null; readonly text: string }) {
  const shown = (
    <code>
      <VisibleText text={text} />
    </code>
  )
  return href === null ? shown : <ExternalLink href={href}>{shown}</ExternalLink>
}
