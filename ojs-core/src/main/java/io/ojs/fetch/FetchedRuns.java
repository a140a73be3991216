package io.ojs.fetch;

import java.util.List;

/**
 * What a process of this library has fetched.
 *
 * @param runs the runs, in the order in which they are to begin
 * @param more whether it has left jobs that the process may get if it asks again: at
 * once, if fewer than it can begin were fetched, and otherwise as soon as it can begin
 * another one
 */
public record FetchedRuns(List<FetchedRun> runs, boolean more) {
}
