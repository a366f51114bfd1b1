import type { ReactNode } from 'react'
import { CommandPalette, ShortcutHelp, ToastRegion, TooltipProvider } from '../ui/index.ts'

/** What stands around every page, signed in or not. */
export function RootFrame({ children }: { readonly children: ReactNode }) {
  return (
    <TooltipProvider>
      {children}
      <CommandPalette />
      <ShortcutHelp />
      <ToastRegion />
    </TooltipProvider>
  )
}
