import { updateMe, type Session } from '@firsthand/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { RefObject } from 'react'
import { api } from '../lib/api.ts'
import { askForReport } from '../lib/reporting.ts'
import { sessionQuery } from '../lib/shared-queries.ts'
import { chooseTheme, useThemeChoice, type ThemeChoice } from '../lib/theme.ts'
import { PHONE, useMedia } from '../lib/use-media.ts'
import {
  Avatar,
  SpeechIcon,
  LogOutIcon,
  Menu,
  MenuItem,
  MenuRadioGroup,
  MenuRadioItem,
  MenuSeparator,
  MoonIcon,
  SearchIcon,
  setCommandPalette,
  SunIcon,
  SystemIcon,
  VisuallyHidden,
} from '../ui/index.ts'
import { useFeatures } from './feature.ts'
import { useLogOut } from './log-out.tsx'
import { ownReportingQuery } from './own-reporting-query.ts'
import styles from './user-menu.module.css'

/** The person at the foot of the side bar: what features add, theme, log out. */
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
  const features = useFeatures()
  const theme = useThemeChoice()
  const isPhone = useMedia(PHONE)
  const { data: own } = useQuery(ownReportingQuery)
  const name = session.user === null ? '' : session.user.name || session.user.email
  const changeTheme = (next: ThemeChoice): void => {
    chooseTheme(next)
    // Kept with the account too, for other devices; here the choice already stands.
    void api
      .call(updateMe, { body: { options: { theme: next } } })
      .then((user) => queryClient.setQueryData(sessionQuery.queryKey, (old) => (old ? { ...old, user } : old)))
      // The choice stands on this device all the same, so nothing is told.
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
      {features
        .flatMap(({ menus }) => menus?.person ?? [])
        .map(({ page, label, icon, hint }) => (
          <MenuItem
            key={page.path}
            icon={icon}
            hint={hint?.(session)}
            onSelect={() => void navigate({ to: page.path, params: { org } })}
          >
            {label}
          </MenuItem>
        ))}
      <MenuSeparator />
      {isPhone ? (
        <MenuItem icon={SearchIcon} onSelect={() => setCommandPalette(true)}>
          Find anything
        </MenuItem>
      ) : null}
      <MenuRadioGroup label="Theme" value={theme} onValueChange={changeTheme}>
        <MenuRadioItem value="system" icon={SystemIcon}>
          Same as device
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
        <MenuItem icon={SpeechIcon} onSelect={askForReport}>
          Report a problem with Firsthand
        </MenuItem>
      )}
      <MenuItem icon={LogOutIcon} onSelect={logOut}>
        Log out
      </MenuItem>
    </Menu>
  )
}
