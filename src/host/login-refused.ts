/** The cause of a `login-failed`: what the server would take, and the question whose answer could help. */
export class LoginRefused extends Error {
  readonly offered: readonly string[];
  /** What nobody was there to answer, as a sentence; null where no answer would have helped. */
  readonly question: string | null;
  constructor(offered: readonly string[], question: string | null) {
    super('the login was refused');
    this.offered = offered;
    this.question = question;
  }
}
