import { Outlet, useParams } from '@tanstack/react-router'
import { Link } from '../../../ui/index.ts'
import styles from './SettingsLayout.module.css'

/** The settings' own menu at the left (a scrolling row on narrow screens), the chosen page at the right. */
export function SettingsLayout() {
  const { org } = useParams({ from: '/signed-in/organizations/$org/settings' })
  const params = { org }
  return (
    <div className={styles.layout}>
      <nav className={styles.menu} aria-label="Settings">
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
        <Link look="plain" className={styles.entry} to="/organizations/$org/settings/tokens" params={params}>
          API tokens
        </Link>
        <p className={styles.label}>You</p>
        <Link look="plain" className={styles.entry} to="/organizations/$org/settings/account" params={params}>
          Account
        </Link>
      </nav>
      <div className={styles.content}>
        <Outlet />
      </div>
    </div>
  )
}
