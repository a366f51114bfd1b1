import type { ReplayPlayback } from '@firsthand/contract'

import { VisibleText } from '../../../ui/index.ts'
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
      </div>
    </>
  )
}
