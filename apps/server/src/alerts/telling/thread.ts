/** The subject of an incident of a group, before the group's key. */
export const GROUP = 'group:'

/** All messages of one incident, and of those of the same subject, are one thread: what pagers close it by. */
export const threadOfSubject = (ruleId: number, subject: string): string =>
  subject.startsWith(GROUP) ? `measured:${ruleId}:${subject.slice(GROUP.length)}` : subject
