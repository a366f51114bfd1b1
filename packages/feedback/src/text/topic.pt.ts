import type { TopicTexts } from './topic.en.ts'

export const topicTexts: TopicTexts = {
  feedbackTitle: 'Enviar feedback',
  categoryLabel: 'De que se trata?',
  categoryBug: 'Problema',
  categoryIdea: 'Ideia',
  categoryPraise: 'Elogio',
  ratingLabel: 'O que acha desta página?',
}
