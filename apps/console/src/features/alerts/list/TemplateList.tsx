import { Link } from '../../../ui/index.ts'
import { plainSentence, sentenceOf } from '../model/sentence.ts'
import { TEMPLATES } from '../model/templates.ts'
import styles from './TemplateList.module.css'

/** They name no project, channel or person. */
const NAMES = { project: String, channel: String, team: String, member: String }

/** Alerts to begin with, each a sentence that can be changed before it is saved. */
export function TemplateList({ org }: { readonly org: string }) {
  return (
    <ul className={styles.list} aria-label="Where to begin">
      {TEMPLATES.map(({ id, about, draft }) => (
        <li key={id} className={styles.template}>
          <Link
            look="plain"
            className={styles.name}
            to="/organizations/$org/alerts/new"
            params={{ org }}
            search={{ template: id }}
          >
            {draft.name}
          </Link>
          <p className={styles.sentence}>{plainSentence(sentenceOf(draft, NAMES))}</p>
          <p className={styles.about}>{about}</p>
        </li>
      ))}
    </ul>
  )
}
