package io.ojs.internal.fetch;

import java.util.List;

/**
 * The runs that a process of this library has fetched.
 *
 * @param runs the runs, in the order in which they are to begin
 * @param more whether there may be more jobs for the process: it fetches again at once if
 * it got fewer than it can begin, and otherwise as soon as it can begin another one
 */
public record FetchedRuns(List<FetchedRun> runs, boolean more) {
}
