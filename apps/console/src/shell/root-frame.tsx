import type { ReactNode } from 'react'
import { CommandPalette, ShortcutHelp, ToastRegion } from '../ui/index.ts'

/** What stands around every page, signed in or not. */
export function RootFrame({ children }: { readonly children: ReactNode }) {
  return (
    <>
      {children}
      <CommandPalette />
      <ShortcutHelp />
      <ToastRegion />
    </>
  )
}
