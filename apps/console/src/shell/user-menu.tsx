import { updateMe, type Session } from '@firsthand/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { RefObject } from 'react'
import { api } from '../lib/api.ts'
import { askForReport } from '../lib/reporting.ts'
import { sessionQuery } from '../lib/shared-queries.ts'
import { chooseTheme, useThemeChoice, type ThemeChoice } from '../lib/theme.ts'
import {
  Avatar,
  FeedbackIcon,
  LogOutIcon,
  Menu,
  MenuItem,
  MenuRadioGroup,
  MenuRadioItem,
  MenuSeparator,
  MoonIcon,
  SunIcon,
  SystemIcon,
  UserIcon,
  VisuallyHidden,
} from '../ui/index.ts'
import { useLogOut } from './log-out.tsx'
import { ownReportingQuery } from './own-reporting-query.ts'
import styles from './user-menu.module.css'

/** The person at the foot of the side bar: account, theme, log out. */
export function UserMenu({
  org,
  session,
  container,
}: {
  readonly org: string
  readonly session: Session
  readonly container: RefObject<HTMLElement | null>
}) {
  const navigate = useNavigate()
  const logOut = useLogOut()
  const queryClient = useQueryClient()
  const theme = useThemeChoice()
  const { data: own } = useQuery(ownReportingQuery)
  const name = session.user === null ? '' : session.user.name || session.user.email
  const changeTheme = (next: ThemeChoice): void => {
    chooseTheme(next)
    // Kept with the account too, for other devices; here the choice already stands.
    void api
      .call(updateMe, { body: { options: { theme: next } } })
      .then((user) => queryClient.setQueryData(sessionQuery.queryKey, (old) => (old ? { ...old, user } : old)))
      .catch(() => undefined)
  }
  return (
    <Menu
      side="top"
      container={container}
      trigger={
        <button type="button" className={styles.trigger} title={name}>
          <VisuallyHidden>Account of</VisuallyHidden>
          <Avatar name={name} size={20} />
          <span className={styles.name}>{name}</span>
        </button>
      }
    >
      <MenuItem
        icon={UserIcon}
        hint={session.user?.email}
        onSelect={() => void navigate({ to: '/organizations/$org/settings/account', params: { org } })}
      >
        Account
      </MenuItem>
      <MenuSeparator />
      <MenuRadioGroup label="Theme" value={theme} onValueChange={changeTheme}>
        <MenuRadioItem value="system" icon={SystemIcon}>
          As the device
        </MenuRadioItem>
        <MenuRadioItem value="light" icon={SunIcon}>
          Light
        </MenuRadioItem>
        <MenuRadioItem value="dark" icon={MoonIcon}>
          Dark
        </MenuRadioItem>
      </MenuRadioGroup>
      <MenuSeparator />
      {own?.dsn === undefined || own.dsn === null ? null : (
        <MenuItem icon={FeedbackIcon} onSelect={askForReport}>
          Report a problem of Firsthand
        </MenuItem>
      )}
      <MenuItem icon={LogOutIcon} onSelect={logOut}>
        Log out
      </MenuItem>
    </Menu>
  )
}
