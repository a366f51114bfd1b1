import { useEffect } from 'react'

/** Names the browser tab: `Receipts · Firsthand`. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Firsthand`
  }, [title])
}
