/**
 * Workflows (OJS Workflows): chains, groups and batches of jobs, their start, and the
 * engine that advances them.
 */
@NullMarked
package io.ojs.workflow;

import org.jspecify.annotations.NullMarked;
