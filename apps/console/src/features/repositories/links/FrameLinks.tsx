import type { CodeMapping } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'
import { createContext, useContext, type ReactNode } from 'react'
import { codeMappingsQuery } from '../queries.ts'
import { frameLink, type FrameLink, type LinkedPlace } from './frame-link.ts'

const Mappings = createContext<readonly CodeMapping[]>([])

/** Around stacks whose frames lead to the repository of their project. */
export function FrameLinks({
  org,
  project,
  release,
  children,
}: {
  readonly org: string
  /** Slug. */
  readonly project: string
  /** Of the event; '' for none. */
  readonly release: string
  readonly children: ReactNode
}) {
  // Frames are read without them.
  const { data = [] } = useQuery({ ...codeMappingsQuery(org, { project, release }), retry: false })
  return <Mappings value={data}>{children}</Mappings>
}

/** Where the frame is in the repository; null where nobody said so. */
export const useFrameLink = (place: LinkedPlace): FrameLink | null => frameLink(useContext(Mappings), place)
