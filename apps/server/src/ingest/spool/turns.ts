import type { SpoolPosition } from '../road.ts'
import { comparePositions } from './position.ts'

/** A record that waits, in the order of its project. */
export interface WaitingRecord {
  readonly organizationId: number
  readonly projectId: number
  /** In the spool. */
  readonly position: SpoolPosition
  readonly bytes: number
}

/** What one of those who take turns has had, in milliseconds of processor time; and what of theirs waits. */
interface Share {
  had: number
  bytes: number
  /** What it had before it came anew and was put level with the others; null once it was served. */
  before: number | null
}

interface ProjectShare extends Share {
  readonly organizationId: number
  readonly waiting: WaitingRecord[]
  /** What a byte took lately, in milliseconds. */
  rate: number
}

interface OrganizationShare extends Share {
  readonly projects: Set<ProjectShare>
  /** What the project had that was served last: who comes anew begins there, and not with all that it never asked for. */
  now: number
}

/** What waits: in milliseconds by what the last records took, and in records. */
export interface Backlog {
  readonly ms: number
  readonly records: number
}

const backlogOf = ({ bytes, rate, waiting }: ProjectShare): Backlog => ({ ms: bytes * rate, records: waiting.length })

/** Of what a byte took before, so much still counts after another record. */
const RATE_KEPT = 0.7

/**
 * Who is next: of the organisations that have something waiting the one that had the least, and of its projects likewise.
 * A record is charged with what its bytes will take by what the project's last ones took, and with the truth when it is
 * known. Records of a project keep their order.
 */
export class Turns {
  readonly #organizations = new Map<number, OrganizationShare>()
  readonly #projects = new Map<number, ProjectShare>()
  readonly #charged = new Map<WaitingRecord, number>()
  #now = 0
  #rate: number
  #bytes = 0
  #size = 0

  /** @param msPerByte what a byte takes, as long as nobody knows */
  constructor(msPerByte: number) {
    this.#rate = msPerByte
  }

  /** Bytes that wait. */
  get bytes(): number {
    return this.#bytes
  }

  /** Records that wait. */
  get size(): number {
    return this.#size
  }

  add(record: WaitingRecord): void {
    const { organization, project } = this.#sharesOf(record)
    if (organization.bytes === 0) raise(organization, this.#now)
    if (project.bytes === 0) raise(project, organization.now)
    project.waiting.push(record)
    this.#count(record, 1)
  }

  /** The next record; it is no longer waiting. */
  take(): WaitingRecord | null {
    const organization = least(this.#organizations.values())
    if (organization === null) return null
    const project = least(organization.projects)
    const record = project?.waiting.shift()
    if (project === null || record === undefined) return null
    // What was charged before it was taken, and then given back: whoever came in between was put behind all of that.
    if (organization.had < this.#now) for (const one of this.#organizations.values()) lower(one, organization.had)
    if (project.had < organization.now) for (const one of organization.projects) lower(one, project.had)
    this.#now = organization.had
    organization.now = project.had
    organization.before = null
    project.before = null
    this.#count(record, -1)
    this.#charge(record, record.bytes * project.rate)
    return record
  }

  /** It was taken, and nothing was made of it: it is the first of its project again. */
  giveBack(record: WaitingRecord): void {
    this.#charge(record, -(this.#charged.get(record) ?? 0))
    this.#charged.delete(record)
    this.#sharesOf(record).project.waiting.unshift(record)
    this.#count(record, 1)
  }

  /** What a record took that was taken, in milliseconds. */
  spent(record: WaitingRecord, ms: number): void {
    const { project } = this.#sharesOf(record)
    project.rate = project.rate * RATE_KEPT + (ms / record.bytes) * (1 - RATE_KEPT)
    this.#charge(record, ms - (this.#charged.get(record) ?? 0))
    this.#charged.delete(record)
  }

  /** Projects of which more waits than one may have, and all of an organisation of which more waits than one may have. */
  crowded(ofProject: Backlog, ofOrganization: Backlog): readonly number[] {
    const isBeyond = ({ ms, records }: Backlog, most: Backlog): boolean => ms > most.ms || records > most.records
    const beyond = new Set(
      [...this.#organizations]
        .filter(([, { projects }]) => {
          const backlogs = Array.from(projects, backlogOf)
          const ms = backlogs.reduce((sum, one) => sum + one.ms, 0)
          return isBeyond({ ms, records: backlogs.reduce((sum, one) => sum + one.records, 0) }, ofOrganization)
        })
        .map(([id]) => id),
    )
    return [...this.#projects]
      .filter(([, project]) => beyond.has(project.organizationId) || isBeyond(backlogOf(project), ofProject))
      .map(([id]) => id)
  }

  /** Where the first of all that wait stands. */
  oldest(): SpoolPosition | null {
    let oldest: SpoolPosition | null = null
    for (const { waiting } of this.#projects.values()) {
      const first = waiting[0]?.position
      if (first !== undefined && (oldest === null || comparePositions(first, oldest) < 0)) oldest = first
    }
    return oldest
  }

  /** Whoever has nothing waiting, and had no more than those who have, is as good as unknown. */
  forget(): void {
    for (const [id, project] of this.#projects) {
      const organization = this.#organizations.get(project.organizationId)
      if (project.bytes > 0 || organization === undefined || project.had > organization.now) continue
      this.#projects.delete(id)
      organization.projects.delete(project)
    }
    for (const [id, { bytes, had, projects }] of this.#organizations) {
      if (bytes === 0 && had <= this.#now && projects.size === 0) this.#organizations.delete(id)
    }
  }

  #charge(record: WaitingRecord, ms: number): void {
    const { organization, project } = this.#sharesOf(record)
    organization.had += ms
    project.had += ms
    this.#charged.set(record, (this.#charged.get(record) ?? 0) + ms)
  }

  #count(record: WaitingRecord, by: 1 | -1): void {
    const { organization, project } = this.#sharesOf(record)
    organization.bytes += by * record.bytes
    project.bytes += by * record.bytes
    this.#bytes += by * record.bytes
    this.#size += by
  }

  #sharesOf({ organizationId, projectId }: WaitingRecord): {
    readonly organization: OrganizationShare
    readonly project: ProjectShare
  } {
    let organization = this.#organizations.get(organizationId)
    if (organization === undefined) {
      organization = { had: this.#now, bytes: 0, before: 0, projects: new Set(), now: 0 }
      this.#organizations.set(organizationId, organization)
    }
    let project = this.#projects.get(projectId)
    if (project === undefined) {
      project = { organizationId, had: organization.now, bytes: 0, before: 0, waiting: [], rate: this.#rate }
      this.#projects.set(projectId, project)
      organization.projects.add(project)
    }
    return { organization, project }
  }
}

/** Who comes anew begins where the others are. */
const raise = (share: Share, now: number): void => {
  if (share.had >= now) return
  share.before = share.had
  share.had = now
}

/** Where the others are turned out to be less. */
const lower = (share: Share, now: number): void => {
  if (share.before !== null && share.had > now) share.had = Math.max(share.before, now)
}

/** Of those that have something waiting. */
const least = <Of extends Share>(shares: Iterable<Of>): Of | null => {
  let found: Of | null = null
  for (const share of shares) if (share.bytes > 0 && (found === null || share.had < found.had)) found = share
  return found
}
