/**
 * Workflows (OJS Workflows): chains, groups and batches of jobs.
 */
@NullMarked
package io.ojs.workflow;

import org.jspecify.annotations.NullMarked;
