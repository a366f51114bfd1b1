import type { ReplayPlayback } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'

import { Link, VisibleText } from '../../../ui/index.ts'
import { PersonLink, personOf } from '../../people/links/index.ts'
import { assetsQuery } from '../keeping/queries.ts'
import { readAbout } from '../model/about.ts'
import { TabHead, type TabPlace } from './TabHead.tsx'
import styles from './About.module.css'

/** Who, with what, which version, and what the recorder says of itself and with its tags. */
export function About({ playback, place }: { readonly playback: ReplayPlayback; readonly place: TabPlace }) {
  return (
    <>
      {place.isStrip ? <TabHead place={place} /> : null}
      <div className={styles.about} tabIndex={0} role="group" aria-label="About this replay">
        {readAbout(playback).map(({ facts, title }) => (
          <section key={title} className={styles.group}>
            <h2 className={styles.title}>{title}</h2>
            <dl>
              {facts.map(({ name, values }) => (
                <div key={name} className={styles.fact}>
                  <dt>
                    <VisibleText text={name} />
                  </dt>
                  {values.map((value) => (
                    <dd key={value}>
                      <VisibleText text={value} />
                    </dd>
                  ))}
                </div>
              ))}
            </dl>
          </section>
        ))}
        <WhoElse playback={playback} />
        {playback.hasPicture ? <NotFetched project={playback.projectSlug} /> : null}
      </div>
    </>
  )
}

/** From the visitor to all that they ran into and said. */
function WhoElse({ playback: { replay } }: { readonly playback: ReplayPlayback }) {
  const { org } = useParams({ from: '/signed-in/organizations/$org/replays/$replay' })
  const { id, username, email, ip } = replay.user
  const person = personOf({ id: id ?? '', username: username ?? '', email: email ?? '', ipAddress: ip ?? '' })
  return person === null ? null : <PersonLink org={org} user={person} label="All of this person" />
}

/** Most images of pages are only named in a recording, and this project does not let them be fetched. */
function NotFetched({ project }: { readonly project: string }) {
  const { org } = useParams({ from: '/signed-in/organizations/$org/replays/$replay' })
  const { data } = useQuery(assetsQuery(org, project))
  if (data === undefined || data.enabled) return null
  return (
    <p className={styles.note}>
      Images and fonts that the page only names are not kept in this project: grey boxes stand in their place.{' '}
      <Link to="/organizations/$org/settings/projects/$project" params={{ org, project }} search={{ tab: 'replays' }}>
        Keep them from now on
      </Link>
    </p>
  )
}
