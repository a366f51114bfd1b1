import type { TopicTexts } from './topic.en.ts'

export const topicTexts: TopicTexts = {
  feedbackTitle: 'Feedback senden',
  categoryLabel: 'Worum geht es?',
  categoryBug: 'Fehler',
  categoryIdea: 'Idee',
  categoryPraise: 'Lob',
  ratingLabel: 'Wie gefällt Ihnen diese Seite?',
}
