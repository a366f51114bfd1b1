import type { ReactNode } from 'react'
import { useFocusOnNewPage } from './focus.ts'
import { FrameCommands } from './frame-commands.tsx'
import { MAIN_ID } from './main-landmark.tsx'
import { Navigation } from './navigation.tsx'
import { StatusBanner } from './status-banner.tsx'
import { useLiveUpdates } from './use-live-updates.ts'
import styles from './frame.module.css'

/** The frame of an organisation: side bar (bottom bar on a phone), banner, and the screen. */
export function Frame({ org, children }: { readonly org: string; readonly children: ReactNode }) {
  useLiveUpdates(org)
  useFocusOnNewPage()
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href={`#${MAIN_ID}`}>
        Skip to content
      </a>
      <Navigation org={org} />
      <FrameCommands org={org} />
      <div className={styles.content}>
        <StatusBanner org={org} />
        <main id={MAIN_ID} tabIndex={-1} className={styles.main}>
          {children}
        </main>
      </div>
    </div>
  )
}
