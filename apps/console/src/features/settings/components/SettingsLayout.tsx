import { Outlet, useLocation, useParams } from '@tanstack/react-router'
import { useRef } from 'react'
import { useInSight } from '../../../lib/use-in-sight.ts'
import { Link } from '../../../ui/index.ts'
import styles from './SettingsLayout.module.css'

/** The settings' own menu at the left (a scrolling row on narrow screens), the chosen page at the right. */
export function SettingsLayout() {
  const { org } = useParams({ from: '/signed-in/organizations/$org/settings' })
  const params = { org }
  const menu = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  useInSight(menu, pathname)
  return (
    <div className={styles.layout}>
      <nav ref={menu} className={styles.menu} aria-label="Settings">
        <p className={styles.label}>Organisation</p>
        <Link look="plain" className={styles.entry} to="/organizations/$org/settings/organization" params={params}>
          General
        </Link>
        <Link look="plain" className={styles.entry} to="/organizations/$org/settings/projects" params={params}>
          Projects
        </Link>
        <Link look="plain" className={styles.entry} to="/organizations/$org/settings/members" params={params}>
          Members
        </Link>
        <Link look="plain" className={styles.entry} to="/organizations/$org/settings/teams" params={params}>
          Teams
        </Link>
        <Link look="plain" className={styles.entry} to="/organizations/$org/settings/channels" params={params}>
          Channels
        </Link>
        <Link look="plain" className={styles.entry} to="/organizations/$org/settings/trackers" params={params}>
          Issue trackers
        </Link>
        <Link look="plain" className={styles.entry} to="/organizations/$org/settings/repositories" params={params}>
          Repositories
        </Link>
        <Link look="plain" className={styles.entry} to="/organizations/$org/settings/tokens" params={params}>
          API tokens
        </Link>
        <p className={styles.label}>You</p>
        <Link look="plain" className={styles.entry} to="/organizations/$org/settings/account" params={params}>
          Account
        </Link>
        <Link look="plain" className={styles.entry} to="/organizations/$org/settings/notifications" params={params}>
          What reaches me
        </Link>
      </nav>
      <div className={styles.content}>
        <Outlet />
      </div>
    </div>
  )
}
